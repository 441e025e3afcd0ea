"""Objects of torch's own that are made anew of what they were."""

from __future__ import annotations

import torch
from torch import nn
from torch.distributions import Beta, kl_divergence

from ..common import STEPS, sgd_of


def by_a_belief_that_is_made_of_the_one_before():
    """graph-chain | tracker.belief | replaced"""

    class Tracker:
        def __init__(self):
            self.belief = Beta(torch.tensor(2.0), torch.tensor(6.0))

        def observe(self, hits):
            self.belief = Beta(self.belief.concentration1 * 0.9 + hits, torch.tensor(6.0))  # <-
            return self.belief

    torch.manual_seed(0)
    model, tracker, prior = nn.Linear(4, 1), Tracker(), Beta(torch.tensor(3.0), torch.tensor(9.0))
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        hits = torch.sigmoid(model(torch.randn(8, 4))).mean()
        loss = hits + 0.1 * kl_divergence(tracker.observe(hits), prior)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
