"""Mutation testing of the rules: small faults are put into the kernels one at a time, and the tests must notice each.

``python -m tests.mutants run`` does it, ``python -m tests.mutants table`` shows the results so far.  Survivors that no
test can notice are argued in ``survivors.toml``.

The usual tools were not used: mutmut leaves out decorated functions, and every kernel is decorated; cosmic-ray mutates
them, but starts the tests anew for every mutant (seconds for Numba alone), and knows neither deleted statements nor
skipped loops.  With the compiler off a kernel is a plain function, so a mutant is only another ``__code__`` for it:
``run.py`` imports everything and collects the tests once, and forks for each mutant.
"""
