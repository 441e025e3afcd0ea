"""Graphs that wait for a moment and are then let go: no fault, however many they are."""

from __future__ import annotations

import pytest

BEFORE_THE_FIRST_STEP = """
    import torch
    tower = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(tower.parameters(), 0.01)
    cache = []
    for _ in range(20):
        optimizer.zero_grad()
        for _ in range(12):
            part = tower(torch.randn(3, 4)).tanh()
            cache.append((part, part.detach().requires_grad_()))
        torch.cat([leaf for _, leaf in cache]).pow(2).mean().backward()
        for part, leaf in cache:
            part.backward(leaf.grad)
        optimizer.step()
        cache.clear()
"""
"""The first backward reaches nothing that an optimizer has."""

BY_A_METHOD_WHEN_FULL = """
    import torch
    class Log:
        def __init__(self, most):
            self.most, self.pending = most, []
        def add(self, late):
            self.pending.append(late)
            if len(self.pending) >= self.most:
                self.flush()
        def flush(self):
            print([late() for late in self.pending])
            self.pending.clear()
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    log = Log(25)
    for _ in range(80):
        optimizer.zero_grad()
        loss = model(torch.randn(3, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
        log.add(lambda loss=loss: loss.item())
"""


@pytest.mark.parametrize("text", [BEFORE_THE_FIRST_STEP, BY_A_METHOD_WHEN_FULL])
def test_no_alarm(checked, text):
    assert [found for found in checked(text).findings if found.level != "info"] == []
