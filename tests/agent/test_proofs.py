"""When names are searched for graphs that nobody can use any more."""

from __future__ import annotations

import pytest

from gradwatch_agent import torch_seam, wire
from gradwatch_agent.diagnosis.searches import Searches
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.guard import Guard
from gradwatch_agent.kept import proofs
from gradwatch_agent.verdicts import Verdicts

HELLO = wire.Hello(run="r", job="j", host="h", pid=1, started=0.0)


@pytest.mark.parametrize(("reached", "stale", "looks"), [(None, None, 0), (40, 20, 0), (40, 0, 1)])
def test_not_where_it_is_unknown_what_the_loss_reached(monkeypatch, reached, stale, looks):
    looked = []
    monkeypatch.setattr(proofs, "look", lambda *_: looked.append(1))
    whose = Verdicts(HELLO)
    lineage = Lineage(torch_seam.sequence_number())
    asked = proofs.Proofs(whose, lineage, Searches(thorough=True), Guard())
    asked.dead(wire.Iteration(number=50, at=0.0, live=99, held=0, reached=reached, stale=stale))
    assert len(looked) == looks
