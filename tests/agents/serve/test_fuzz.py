"""A small number of the cases of ``make web-fuzz``."""

from __future__ import annotations

import pytest

from tests.agents.serve.fuzz import fuzz
from tests.agents.serve.serving import Running


@pytest.mark.parametrize("named", [False, True], ids=["any game", "a game that is there"])
def test_answers_are_as_the_schema_says(server: Running, named: bool) -> None:
    outcome = fuzz(server, 4, 1, "fuzzing,stateful", named)
    assert outcome.passed, outcome.report
    assert outcome.cases > 50
