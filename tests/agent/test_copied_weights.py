"""Copies of weights that carry their graph are a fault however often they are made anew: what they
are compared with is trained by them as well.
"""

from __future__ import annotations

import pytest

_HEAD = """
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), 0.05)


def fit(penalty):
    loss = model(torch.randn(8, 4)).pow(2).mean() + penalty
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


class Target:
    def __init__(self):
        self.weights = {}

    def sync(self):
        self.weights = {name: COPY for name, p in model.named_parameters()}

    def distance(self):
        return sum((p - self.weights[name]).pow(2).sum() for name, p in model.named_parameters())

"""

_SYNCED = """
target = Target()
for number in range(50):
    if number % 8 == 0:
        target.sync()
    fit(target.distance())
"""

_OF_EACH_TASK = """
def visit(steps):
    before = [COPY for p in model.parameters()]
    for _ in range(steps):
        fit(sum((p - q).pow(2).sum() for p, q in zip(model.parameters(), before)))

for _ in range(5):
    visit(10)
"""

_JOBS = [
    (_SYNCED, "target.weights", "self.weights = {name: COPY for name, p in"),
    (_OF_EACH_TASK, "before", "before = [COPY for p in model.parameters()]"),
]


@pytest.mark.parametrize(("job", "holder", "code"), _JOBS)
def test_they_are_told_though_they_are_made_anew(checked, job, holder, code):
    told = checked((_HEAD + job).replace("COPY", "p.clone()")).findings
    found = told[-1]
    assert {each.state for each in told} <= {"raised", "updated"}
    assert (found.kind, found.level, found.holder) == ("graph-chain", "critical", holder)
    assert found.code.startswith(code.replace("COPY", "p.clone()"))
    assert "detach()" in found.suggestion


@pytest.mark.parametrize("job", [job for job, *_ in _JOBS])
def test_without_their_graph_they_are_none(checked, job):
    assert not checked((_HEAD + job).replace("COPY", "p.detach().clone()")).findings
