"""A state that is handed from round to round within one iteration: several backwards ahead of one
step, or optimizers that step in turns. It is no matter of two losses.
"""

from __future__ import annotations

import pytest

_HEAD = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)
cell, near, far = nn.GRUCell(4, 8), nn.Linear(8, 2), nn.Linear(8, 2)
heads = {"near": near, "far": far}
turns = {
    name: torch.optim.Adam([*cell.parameters(), *head.parameters()], 1e-3)
    for name, head in heads.items()
}
whole = torch.optim.SGD([*cell.parameters(), *near.parameters()], 0.01)


class Tracker:
    def __init__(self):
        self.state = torch.zeros(5, 8)

    def roll(self, seen):
        self.state = cell(seen, self.state)
        return self.state


def train(name, loss):
    turns[name].zero_grad()
    loss.backward(RETAIN)
    turns[name].step()


def run():
"""

_TAIL = """

with contextlib.suppress(RuntimeError):
    run()
"""

IN_BRANCHES = """
    state = torch.zeros(5, 8)
    for number in range(20):
        state = cell(torch.randn(5, 4), state)
        if number % 2:
            train("near", near(state).pow(2).mean())
        else:
            train("far", (far(state) - 1).pow(2).mean())
"""

BY_NAME = """
    state = torch.zeros(5, 8)
    for number in range(20):
        state = cell(torch.randn(5, 4), state)
        name = ("near", "far")[number % 2]
        train(name, heads[name](state).pow(2).mean())
"""

BY_METHODS = """
    tracker = Tracker()
    def of_near(seen):
        train("near", near(tracker.roll(seen)).pow(2).mean())
    def of_far(seen):
        train("far", (far(tracker.roll(seen)) - 1).pow(2).mean())
    for number in range(20):
        (of_near, of_far)[number % 2](torch.randn(5, 4))
"""

IN_CHUNKS = """
    for _ in range(20):
        state = torch.zeros(5, 8)
        whole.zero_grad()
        for _ in range(3):
            state = cell(torch.randn(5, 4), state)
            near(state).pow(2).mean().backward(RETAIN)
        whole.step()
"""

IN_CHUNKS_OF_AN_OBJECT = """
    for _ in range(20):
        tracker = Tracker()
        whole.zero_grad()
        for _ in range(3):
            for seen in torch.randn(4, 5, 4):
                found = near(tracker.roll(seen))
            found.pow(2).mean().backward(RETAIN)
        whole.step()
"""

IN_A_CLOSURE = """
    often, tracker = torch.optim.LBFGS([*cell.parameters(), *near.parameters()]), Tracker()
    for _ in range(20):
        seen = torch.randn(5, 4)
        def closure():
            often.zero_grad()
            loss = near(tracker.roll(seen)).pow(2).mean()
            loss.backward(RETAIN)
            return loss
        often.step(closure)
"""

_HERE = "state = cell(torch.randn(5, 4), state)"
_THERE = "self.state = cell(seen, self.state)"

_JOBS = [
    pytest.param(IN_BRANCHES, "state", _HERE, id="branches"),
    pytest.param(BY_NAME, "state", _HERE, id="names"),
    pytest.param(BY_METHODS, "tracker.state", _THERE, id="methods"),
    pytest.param(IN_CHUNKS, "state", _HERE, id="chunks"),
    pytest.param(IN_CHUNKS_OF_AN_OBJECT, "tracker.state", _THERE, id="an object's chunks"),
    pytest.param(IN_A_CLOSURE, "tracker.state", _THERE, id="a closure"),
]


def _found(checked, job, retain=""):
    found = checked(f"{_HEAD}{job}{_TAIL}".replace("RETAIN", retain)).findings
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(("job", "holder", "code"), _JOBS)
def test_what_was_freed_was_carried_over(checked, job, holder, code):
    found = _found(checked, job)
    assert (found.kind, found.code, found.holder) == ("second-backward", code, holder)
    said = [
        f"Once backward is done: `{name} = {name}.detach()`." for name in (holder, "self.state")
    ]
    assert found.suggestion in said


@pytest.mark.parametrize(("job", "holder", "code"), _JOBS[:3])
def test_so_was_what_a_step_has_outdated(checked, job, holder, code):
    found = _found(checked, job, retain="retain_graph=True")
    assert (found.kind, found.code, found.holder) == ("inplace-modified", code, holder)
    assert f"`{holder} = {holder}.detach()`" in found.suggestion


SHARED = """
    for _ in range(20):
        shared = cell(torch.randn(5, 4)).tanh()
        whole.zero_grad()
        for name in heads:
            heads[name](shared).pow(2).mean().backward()
        whole.step()
"""


def test_what_two_losses_share_was_not(checked):
    found = _found(checked, SHARED)
    assert (found.kind, found.holder) == ("second-backward", "shared")
    assert "backward(retain_graph=True)" in found.suggestion or "Add the losses" in found.suggestion
