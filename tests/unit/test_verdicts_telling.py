"""What is told again of a fault is known before it is told: its numbers are of one moment."""

from __future__ import annotations

import dataclasses

import pytest

from gradwatch_agent import wire
from gradwatch_agent.verdicts.case import Case
from gradwatch_agent.verdicts.telling import Telling

HELLO = wire.Hello(run="r", job="j", host="h", pid=1, started=0.0)
CASE = Case(
    kind="graph-held", level="warning", since=1, message="m", suggestion="s", holder="kept", size=10
)


@pytest.mark.parametrize(
    ("change", "is_told"),
    [
        ({"size": 19}, False),
        ({"size": 20}, True),
        ({"size": 11, "level": "critical"}, True),
        ({"size": 11, "holder": "self.kept"}, True),
    ],
)
def test_what_is_told_again_is_known_to_have_grown_before(change, is_told):
    telling = Telling(HELLO)
    telling.tell({CASE.kind: CASE}, 0.0, 10)
    now = {CASE.kind: dataclasses.replace(CASE, **change)}
    assert telling.grown(now) == ([CASE.kind] if is_told else [])
    assert bool(telling.tell(now, 1.0, 11)) is is_told


def test_what_was_critical_is_not_told_as_less_while_it_is_open():
    telling = Telling(HELLO)
    telling.tell({CASE.kind: dataclasses.replace(CASE, level="critical")}, 0.0, 10)
    assert telling.tell({CASE.kind: dataclasses.replace(CASE, size=12)}, 1.0, 11) == []
    (again,) = telling.tell({CASE.kind: dataclasses.replace(CASE, size=20)}, 2.0, 12)
    assert (again.level, again.state) == ("critical", "updated")
