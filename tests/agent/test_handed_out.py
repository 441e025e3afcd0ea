"""A list that the loss reads by the name under which a block, or a call, hands it out."""

from __future__ import annotations

import textwrap

import pytest

_BLOCK = """
import contextlib

import torch
from torch import nn

torch.manual_seed(0)
PENALTIES = []


HANDING_OUT


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 2)

    def forward(self, x):
        share = self.gate(x).softmax(1)
        PENALTIES.append(share.mean(0).pow(2).sum())
        return share


gate = Gate()
optimizer = torch.optim.SGD(gate.parameters(), lr=0.05)
for _ in range(40):
    with penalties() as handed:
        share = gate(torch.randn(8, 4))
        loss = share[:, 0].mean() + 0.01 * handed[-1]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""

_YIELDED = """
@contextlib.contextmanager
def penalties():
    yield PENALTIES
"""

_ENTERED = """
class penalties:
    def __enter__(self):
        return PENALTIES

    def __exit__(self, *error):
        return None
"""


@pytest.mark.parametrize("handing_out", [_YIELDED, _ENTERED], ids=["yielded", "entered"])
def test_what_trains_by_another_name_keeps_its_graph(told_of, handing_out):
    found = told_of(textwrap.dedent(_BLOCK.replace("HANDING_OUT", handing_out.strip())))
    kept = found["graph-held"]
    assert "PENALTIES[:] = [share.mean(0).pow(2).sum()]" in kept.suggestion


_FROM_WHERE_IT_ENDED = """
import torch
from torch import nn

torch.manual_seed(0)
actor = nn.Linear(4, 2)
optimizer = torch.optim.Adam(actor.parameters(), lr=1e-3)
odds, worths = [], []
for _ in range(40):
    start = len(worths)
    for _ in range(3):
        each = actor(torch.randn(4)).log_softmax(0)
        odds.append(each[0])
        worths.append(float(each[1]))
    loss = -(torch.stack(odds[start:]) * torch.tensor(worths[start:])).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    CUT
"""


def test_a_list_that_is_as_long_as_another_is_not_emptied(told_of):
    kept = told_of(_FROM_WHERE_IT_ENDED.replace("CUT", "pass"))["graph-held"]
    assert "`odds[:] = [t.detach() for t in odds]`" in kept.suggestion


def test_but_cut(told_of):
    cut = "odds[:] = [t.detach() for t in odds]"
    assert not told_of(_FROM_WHERE_IT_ENDED.replace("CUT", cut))
