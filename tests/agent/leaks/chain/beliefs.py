"""Objects of torch's own that are made anew of what they were."""

from __future__ import annotations

import torch
from torch import nn
from torch.distributions import Beta, Normal, kl_divergence

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


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin, self.last = nn.Linear(4, 2), None

    def act(self, x):
        loc = self.lin(x)
        if self.last is not None:
            loc = 0.9 * loc + 0.1 * self.last.loc
        self.last = Normal(loc, torch.ones(2))  # <-
        return self.last


def by_the_distribution_that_was_last():
    torch.manual_seed(0)
    policy = Policy()
    optimizer = sgd_of(policy)
    for _ in range(STEPS):
        loss = -policy.act(torch.randn(8, 4)).log_prob(torch.ones(8, 2)).mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
