"""What a census costs, and what it must not keep: visits stay bounded when the graph does not."""

from __future__ import annotations

import weakref

import pytest
import torch

from gradwatch_agent import torch_seam
from gradwatch_agent.graph import roll
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.reached import TooLarge


class Chain:
    """A job whose loss reaches all its iterations; counts the nodes that each census visits."""

    def __init__(self, monkeypatch) -> None:
        self.visits = 0
        self.lineage = Lineage(torch_seam.sequence_number())
        self.census = Census(self.lineage)
        self.weight = torch.rand(2, requires_grad=True)
        self.state = torch.rand(2)
        edges = torch_seam.numbered_edges

        def counted(node, number):
            self.visits += 1
            return edges(node, number)

        monkeypatch.setattr(torch_seam, "numbered_edges", counted)

    def iterate(self, *, retain_graph: bool = True) -> None:
        self.visits = 0
        for _ in range(3):
            self.state = torch.sin(self.state + self.weight)
        self.backward(self.state.exp().sum(), retain_graph=retain_graph)

    def backward(self, loss: torch.Tensor, *, retain_graph: bool) -> None:
        self.lineage.mark(loss.grad_fn)
        self.census.look([loss.grad_fn], check_new=False)
        loss.backward(retain_graph=retain_graph)
        if not retain_graph:
            self.census.freed()

    def end(self) -> None:
        self.lineage.begin(torch_seam.sequence_number())
        self.census.begin()


@pytest.fixture
def chain(monkeypatch) -> Chain:
    return Chain(monkeypatch)


def test_a_look_at_a_retained_chain_visits_two_iterations_of_it_at_most(chain):
    for number in range(200):
        chain.iterate()
        counts = chain.census.counts()
        assert counts.stale == 6 * number
        assert chain.visits <= 2 * 8
        chain.end()


def test_a_backward_beside_the_chain_that_frees_its_own_graph_changes_nothing_in_that(chain):
    other = torch.rand(2, requires_grad=True)
    for _ in range(100):
        chain.iterate()
        chain.backward((other * other).sum(), retain_graph=False)
        assert chain.visits <= 2 * 8 + 2
        chain.end()


def test_iterations_that_were_not_counted_are_made_up_for_once(chain):
    chain.iterate()
    chain.end()
    for _ in range(50):
        for _ in range(3):
            chain.state = torch.sin(chain.state + chain.weight)
        chain.end()
    chain.iterate()
    assert chain.visits == 8 + 51 * 6
    assert chain.census.counts().stale == 51 * 6
    chain.end()
    chain.iterate()
    assert chain.visits <= 2 * 8


def test_what_is_remembered_of_freed_buffers_is_forgotten(chain):
    chain.iterate()
    chain.end()
    chain.iterate(retain_graph=False)
    chain.end()
    for _ in range(3):
        chain.state = torch.sin(chain.state + chain.weight)
    loss = chain.state.sum()
    chain.lineage.spend(1)
    look = chain.census.look([loss.grad_fn], check_new=False)
    assert (type(look.freed).__name__, look.freed_generation) == ("SinBackward0", 1)
    assert chain.census.counts().storages == 3


def test_a_graph_of_too_many_nodes_is_given_up(monkeypatch):
    monkeypatch.setattr(roll, "MOST_NODES", 100)
    small = Census(Lineage(0))
    x = torch.rand(2, requires_grad=True)
    for _ in range(200):
        x = x + 1
    with pytest.raises(TooLarge):
        small.look([x.grad_fn], check_new=False)


def test_a_count_keeps_no_graph_alive():
    kept = Census(Lineage(0))
    x = torch.rand(2, requires_grad=True)
    loss = (x * 2).sum()
    died = []
    weakref.finalize(sentinel := Sentinel(), died.append, 1)
    loss.grad_fn.metadata["test"] = sentinel
    del sentinel
    look = kept.look([loss.grad_fn], check_new=True)
    assert look.fresh == 2
    del loss, look
    assert died == [1]


class Sentinel:
    """Dies with what it is put on."""
