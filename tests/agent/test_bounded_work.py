"""What the agent does in an iteration stays bounded, however long the leak has been going on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from gradwatch_agent import torch_seam
from gradwatch_agent.diagnosis.held import holding

ITERATIONS = 120


class Visits:
    """Nodes whose edges were asked for, in each iteration."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.counts = [0]
        edges, numbered = torch_seam.edges, torch_seam.numbered_edges

        def counted(node):
            self.counts[-1] += 1
            return edges(node)

        def counted_numbered(node, number):
            self.counts[-1] += 1
            return numbered(node, number)

        monkeypatch.setattr(torch_seam, "numbered_edges", counted_numbered)
        monkeypatch.setattr(holding, "edges", counted)

    def iteration_ends(self) -> None:
        self.counts.append(0)


def chain(ends: Callable[[], None]) -> None:
    weight, state = torch.rand(4, requires_grad=True), torch.zeros(4)
    for _ in range(ITERATIONS):
        state = torch.tanh(state + weight)
        state.sum().backward(retain_graph=True)
        ends()


def chain_beside_a_graph_that_is_freed(ends: Callable[[], None]) -> None:
    weight, state = torch.rand(4, requires_grad=True), torch.zeros(4)
    for _ in range(ITERATIONS):
        state = torch.tanh(state + weight)
        state.sum().backward(retain_graph=True)
        (weight * weight).sum().backward()
        ends()


def chain_in_two_strands(ends: Callable[[], None]) -> None:
    cell, x = torch.nn.LSTMCell(2, 4), torch.rand(1, 2)
    state = None
    for _ in range(ITERATIONS):
        state = cell(x, state)
        state[0].sum().backward(retain_graph=True)
        state[1].sum().backward(retain_graph=True)
        ends()


def losses_kept(ends: Callable[[], None]) -> None:
    weight, kept = torch.rand(4, requires_grad=True), []
    for _ in range(ITERATIONS):
        kept.append((weight * weight).sum())
        kept[-1].backward()
        ends()


def losses_summed(ends: Callable[[], None]) -> None:
    weight, total = torch.rand(4, requires_grad=True), 0
    for _ in range(ITERATIONS):
        loss = (weight * weight).sum()
        loss.backward()
        total = total + loss
        ends()


def graphs_kept_that_no_backward_walks(ends: Callable[[], None]) -> None:
    weight, kept = torch.rand(4, requires_grad=True), []
    for _ in range(ITERATIONS):
        kept.append((weight * 2).exp())
        (weight * weight).sum().backward()
        ends()


@pytest.mark.parametrize(
    "leak",
    [
        chain,
        chain_beside_a_graph_that_is_freed,
        chain_in_two_strands,
        losses_kept,
        losses_summed,
        graphs_kept_that_no_backward_walks,
    ],
)
def test_visits(watching, monkeypatch, leak):
    visits = Visits(monkeypatch)
    with watching() as said:
        leak(visits.iteration_ends)
        off = said.beat().off
    usual = max(visits.counts[20:40])
    assert off == ()
    assert max(visits.counts[-60:]) <= usual
