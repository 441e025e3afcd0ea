# gradwatch-corpus: kind=none
"""Online fraud scoring: the chargeback label of a batch of payments comes in 14 batches later."""
from collections import deque
from typing import NamedTuple

import torch
from torch import nn

torch.manual_seed(8)
torch.set_num_threads(1)


class Pending(NamedTuple):
    due: int
    scores: torch.Tensor
    amounts: torch.Tensor


class Chargebacks:
    """The outside world: knows the labels, tells them late."""

    def __init__(self, delay):
        self.delay = delay
        self.truth = {}
        self.w = torch.randn(8)

    def payments(self, t, n=32):
        x = torch.randn(n, 8)
        self.truth[t + self.delay] = (torch.sigmoid(x @ self.w) > torch.rand(n)).float()
        return x, torch.rand(n) * 3

    def arrived(self, t):
        return self.truth.pop(t, None)


def run(n_batches=180, delay=14):
    world = Chargebacks(delay)
    scorer = nn.Linear(8, 1)
    opt = torch.optim.SGD(scorer.parameters(), lr=0.1)
    waiting = deque()
    cost = None
    for t in range(n_batches):
        x, amounts = world.payments(t)
        scores = scorer(x).squeeze(-1)
        waiting.append(Pending(t + delay, scores, amounts))
        labels = world.arrived(t)
        if labels is None:
            continue
        old = waiting.popleft()
        assert old.due == t
        loss = nn.functional.binary_cross_entropy_with_logits(old.scores, labels, weight=old.amounts)
        opt.zero_grad()
        loss.backward()
        opt.step()
        cost = loss.item() if cost is None else 0.95 * cost + 0.05 * loss.item()
        if t % 40 == 39:
            print(t, len(waiting), f"{cost:.4f}")


run()
