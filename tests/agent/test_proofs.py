"""When names are searched for graphs that nobody can use any more."""

from __future__ import annotations

import pytest
import torch

from gradwatch_agent import torch_seam, wire
from gradwatch_agent.diagnosis.searches import Searches
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.guard import Guard
from gradwatch_agent.kept import proofs
from gradwatch_agent.verdicts.detectors import Detectors


@pytest.mark.parametrize(("reached", "stale", "looks"), [(None, None, 0), (40, 20, 0), (40, 0, 1)])
def test_not_where_it_is_unknown_what_the_loss_reached(monkeypatch, reached, stale, looks):
    looked = []
    monkeypatch.setattr(proofs, "look", lambda *_: looked.append(1))
    lineage = Lineage(torch_seam.sequence_number())
    asked = proofs.Proofs(Detectors(), lineage, Census(lineage), Searches(thorough=True), Guard())
    asked.dead(wire.Iteration(number=50, at=0.0, live=99, held=0, reached=reached, stale=stale))
    assert len(looked) == looks


def test_what_a_look_builds_is_none_of_the_programs(watching):
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    optimizer, scores = torch.optim.SGD(model.parameters(), 0.01), []
    with watching() as said:
        for step in range(20):
            optimizer.zero_grad()
            model(torch.randn(4, 3)).pow(2).mean().backward()
            optimizer.step()
            if step % 5 == 4:
                scores.append(model(torch.randn(4, 3)).pow(2).mean())
    later = said.iterations[1:]  # to the first one all belongs that was built before
    assert [each.number for each in later if each.unused] == [5, 10, 15]
