"""A state that is changed in place, with its graph, and stays: two things are to be mended."""

from __future__ import annotations

import pytest

_MODEL = """
import contextlib
import torch
from torch import nn

torch.manual_seed(0)


class Streaming(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.GRUCell(4, 6), nn.Linear(6, 2)
        self.register_buffer("state", torch.zeros(3, 6))

    def forward(self, frames):
        BEGIN
        found = []
        for frame in frames:
            new = self.cell(frame, self.state)
            CHANGE
            found.append(self.out(new))
        return torch.stack(found)


model = Streaming()
optimizer = torch.optim.SGD(model.parameters(), 0.05)


def run():
    for _ in range(12):
        loss = model(torch.randn(4, 3, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


with contextlib.suppress(RuntimeError):
    run()
"""

_DETACHED = "self.state = self.state.detach()"
_JOBS = [
    ("self.state.copy_(new)", "self.state = new"),
    ("self.state[:] = new", "self.state = self.state.clone(); self.state[:] = new"),
]


def _program(change, begin="pass"):
    return _MODEL.replace("CHANGE", change).replace("BEGIN", begin)


@pytest.mark.parametrize(("change", "anew"), _JOBS)
def test_it_is_to_be_made_anew_and_cut(checked, change, anew):
    (found,) = checked(_program(change)).findings
    assert (found.kind, found.code) == ("inplace-modified", change)
    assert f"`{anew}`. It stays for the next iteration: ahead of that, `{_DETACHED}`." in (
        found.suggestion
    )


@pytest.mark.parametrize(("change", "anew"), _JOBS)
def test_made_anew_alone_it_would_carry_its_graph_on(checked, change, anew):
    assert [each.kind for each in checked(_program(anew)).findings] == ["second-backward"]


@pytest.mark.parametrize(("change", "anew"), _JOBS)
def test_both_together_cure_it(checked, change, anew):
    assert not checked(_program(anew, _DETACHED)).findings


def test_what_each_forward_gives_anew_is_not_to_be_cut(checked):
    (found,) = checked(_program("self.state.copy_(new)", "self.state = torch.zeros(3, 6)")).findings
    assert "detach" not in found.suggestion
