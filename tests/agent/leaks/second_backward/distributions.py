"""Objects of torch's own that are built once of what is trained, and asked in each iteration."""

from __future__ import annotations

import torch
from torch import nn
from torch.distributions import Independent, MixtureSameFamily, Normal, kl_divergence
from torch.nn.functional import softplus

from ..common import STEPS

PRIOR = Independent(Normal(torch.zeros(4), torch.ones(4)), 1)


class Posterior(nn.Module):
    def __init__(self):
        super().__init__()
        self.loc = nn.Parameter(torch.zeros(4))
        self.rho = nn.Parameter(torch.full((4,), -2.0))
        self.q = Independent(Normal(self.loc, softplus(self.rho)), 1)  # <- within another one

    def loss(self):
        return kl_divergence(self.q, PRIOR) - self.q.rsample((3,)).sum()


def by_a_distribution_within_another_one():
    """second-backward | posterior.q | words"""
    torch.manual_seed(0)
    posterior = Posterior()
    optimizer = torch.optim.SGD(posterior.parameters(), 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        posterior.loss().backward()
        optimizer.step()


def by_a_mixture_of_what_a_function_gives():
    """second-backward | choice | words"""
    torch.manual_seed(0)
    logits, means = torch.zeros(3, requires_grad=True), torch.randn(3, requires_grad=True)
    optimizer = torch.optim.SGD([logits, means], 0.01)
    choice = torch.distributions.Categorical(logits=logits)  # <-
    mixture = MixtureSameFamily(choice, Normal(means, torch.ones(3)))
    for _ in range(STEPS):
        loss = -mixture.log_prob(torch.randn(8)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
