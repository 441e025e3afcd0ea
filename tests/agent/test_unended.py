"""A chain that some statement of the program may cut, and that has not been cut when training ends:
it is early to call it a fault, and wrong to say nothing.
"""

from __future__ import annotations

_JOB = """
import torch
from torch import nn

torch.manual_seed(0)
cell = nn.Linear(4, 4)
optimizer = torch.optim.SGD(cell.parameters(), lr=0.01)
state = torch.zeros(8, 4)
for step in range(30):
    x = torch.randn(8, 4)
    state = 0.9 * state + cell(x)
    loss = (state - x).square().mean()
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
    if QUESTION:
        state = state.detach()
"""


def test_it_is_a_hint(checked):
    (found,) = checked(_JOB.replace("QUESTION", "x.max() > 6")).findings
    assert (found.kind, found.level, found.holder) == ("graph-chain", "info", "state")
    assert found.code == "state = 0.9 * state + cell(x)"
    assert "early to say" in found.message


def test_what_has_ended_once_is_none(checked):
    assert not checked(_JOB.replace("QUESTION", "x[0, 0] > 0.5")).findings
