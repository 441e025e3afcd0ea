"""A memory of states with their graphs, from which the loss picks by chance: that it picks a young
one for once is no end of the chain.
"""

from __future__ import annotations

import pytest

_JOB = """
import random
from collections import deque

import numpy as np
import torch
from torch import nn

random.seed(3)
torch.manual_seed(3)
np.random.seed(3)
encoder, head = nn.Linear(6, 12), nn.Linear(12, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.02)
keepsakes = KEEPSAKES
for _ in range(90):
    code = encoder(torch.randn(16, 6)).tanh()
    loss = head(code).square().mean()
    if len(keepsakes) >= 4:
        PICKED
        loss = loss + 0.5 * head(torch.cat(picked)).square().mean()
    optimizer.zero_grad()
    loss.backward(retain_graph=RETAINED)
    optimizer.step()
    keepsakes.append(STORED)
"""

_PICKING = [
    "picked = random.sample(keepsakes, 2)",
    "picked = [keepsakes[i] for i in torch.randint(len(keepsakes), (2,))]",
    "picked = [keepsakes[i] for i in np.random.choice(len(keepsakes), 2)]",
    "picked = [keepsakes[random.randrange(len(keepsakes))]]",
]


def job(picked: str, **words: str) -> str:
    words = {"KEEPSAKES": "[]", "RETAINED": "True", "STORED": "code", "PICKED": picked, **words}
    text = _JOB
    for word, code in words.items():
        text = text.replace(word, code)
    return text


@pytest.mark.parametrize("picked", _PICKING)
def test_it_is_told_and_stays_told(checked, picked):
    found = checked(job(picked)).findings[-1]
    assert (found.kind, found.level) == ("graph-chain", "critical")
    assert (found.holder, found.code) == ("keepsakes", "keepsakes.append(code)")


@pytest.mark.parametrize("picked", _PICKING)
def test_numbers_may_be_picked(checked, picked):
    assert not checked(job(picked, STORED="code.detach()", RETAINED="False")).findings


def test_a_few_young_ones_may_be_picked_for_ever(checked):
    """They go with the window, as truncated backprop's do."""
    window = job(_PICKING[1], KEEPSAKES="deque(maxlen=4)")
    assert not [each for each in checked(window).findings if each.level != "info"]
