"""How a container is looked through for graphs: all that matter, and few things of the rest."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
import torch

from gradwatch_agent.kept import placing
from gradwatch_agent.kept.placing import placed

LINEAGE = SimpleNamespace(generation_of=lambda number: number)


def graph() -> torch.Tensor:
    return torch.ones(1, requires_grad=True) * 2


def number(tensor: torch.Tensor) -> int:
    return tensor.grad_fn._sequence_nr()


@dataclass
class Step:
    loss: torch.Tensor
    note: str = ""


@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: Step(x), lambda x: {"loss": [x]}])
@pytest.mark.parametrize("kind", [list, deque, tuple])
def test_each_place_has_the_newest_of_its_graphs(wrap, kind):
    losses = [graph() for _ in range(600)]
    places, direct = placed(kind(map(wrap, losses)), LINEAGE)
    assert places == [(place, number(losses[place])) for place in range(600 - 512, 600)]
    assert direct


def test_elements_without_a_graph_have_no_place():
    kept = [graph(), None, "text", torch.ones(1), graph(), {"epoch": 3}]
    assert placed(kept, LINEAGE) == ([(0, number(kept[0])), (4, number(kept[4]))], True)
    assert placed([], LINEAGE) == ([], False)


def test_lists_of_graphs_are_not_the_graphs_themselves():
    places, direct = placed([[graph()], [graph()]], LINEAGE)
    assert len(places) == 2
    assert not direct


def test_records_that_hold_none_are_not_all_looked_through(monkeypatch):
    """Data sets are the largest containers that a program has, and each search meets them."""
    asked = []
    elements = placing.elements
    monkeypatch.setattr(placing, "elements", lambda thing: asked.append(1) or elements(thing))
    word = {str(number): number for number in range(16)}
    records = [{str(n): [dict(word) for _ in range(16)] for n in range(16)} for _ in range(64)]
    assert placed(records, LINEAGE) == ([], False)
    assert len(asked) < 2_000


def test_the_graph_of_a_record_is_found_beside_much_that_has_none():
    records = [{"loss": graph(), "words": list(range(1_000))} for _ in range(200)]
    assert len(placed(records, LINEAGE)[0]) == 200
