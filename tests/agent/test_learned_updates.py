"""A state that something learned moves on, behind the backward: cut when the next iteration starts,
what moves it would learn nothing.
"""

from __future__ import annotations

import pytest

_HEAD = """
import torch
from torch import nn

torch.manual_seed(0)
mixing = torch.randn(6, 6) * 0.3


def cost(state):
    return (mixing @ state).square().mean()

"""

_MOVED = """
mover = nn.Linear(6, 6)
optimizer = torch.optim.Adam(mover.parameters(), 0.01)
state = torch.randn(6)
before = mover.weight.detach().clone()
for _ in range(40):
    push = 2 * mixing.t() @ (mixing @ state.detach())
    optimizer.zero_grad()
    loss = cost(state)
    if loss.requires_grad:
        loss.backward(retain_graph=True)
        optimizer.step()
    UPDATE
assert not torch.equal(before, mover.weight)
"""

_BY_A_LEARNED_RATE = """
class Descent:
    def __init__(self):
        self.states = [torch.randn(6, requires_grad=True), torch.randn(6, requires_grad=True)]
        self.rate = torch.tensor(0.05, requires_grad=True)

    def step(self):
        asked = [*self.states, self.rate]
        loss = sum(map(cost, self.states))
        *grads, of_rate = torch.autograd.grad(loss, asked, allow_unused=True, retain_graph=True)
        if of_rate is not None:
            with torch.no_grad():
                self.rate -= 0.001 * of_rate
        UPDATE

descent = Descent()
for _ in range(40):
    descent.step()
assert descent.rate.item() != torch.tensor(0.05).item()
"""

_JOBS = [
    (_MOVED, "state = state + 0.1 * mover(push)", "state = state.detach() + 0.1 * mover(push)"),
    (
        _BY_A_LEARNED_RATE,
        "self.states = [w - self.rate * g for w, g in zip(self.states, grads)]",
        "self.states = [w.detach() - self.rate * g for w, g in zip(self.states, grads)]",
    ),
]


@pytest.mark.parametrize(("job", "update", "cut"), _JOBS)
def test_it_is_cut_as_it_is_read_there(checked, job, update, cut):
    found = checked((_HEAD + job).replace("UPDATE", update)).findings[-1]
    assert (found.kind, found.code) == ("graph-chain", update)
    assert f"`{cut}`" in found.suggestion


@pytest.mark.parametrize(("job", "update", "cut"), _JOBS)
def test_so_that_what_moves_it_still_learns(checked, job, update, cut):
    """Each asserts it at its end."""
    cured = (_HEAD + job).replace("UPDATE", cut).replace("retain_graph=True", "")
    assert not checked(cured).findings


def test_where_nothing_learned_moves_it_the_cut_is_at_the_start(checked):
    update = "self.states = [w - 0.05 * g for w, g in zip(self.states, grads)]"
    job = _BY_A_LEARNED_RATE.replace("UPDATE", update).rpartition("assert")[0]
    found = checked(_HEAD + job).findings[-1]
    assert found.suggestion.startswith("At the start of each iteration: ")
