"""A small number of the cases of ``make web-fuzz``."""

from __future__ import annotations

import pytest

from tests.agents.serve.fuzz import fuzz
from tests.agents.serve.serving import Running


@pytest.mark.parametrize(("phase", "named"), [("fuzzing", True), ("stateful", False)], ids=["single", "in turn"])
def test_answers_are_as_the_schema_says(server: Running, phase: str, named: bool) -> None:
    outcome = fuzz(server, 4, 1, phase, named)
    assert outcome.passed, outcome.report
    assert outcome.cases > 20
