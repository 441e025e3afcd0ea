from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(slots=True)
class Belief:
    mean: Tensor
    log_var: Tensor


class LearnedFilter(nn.Module):
    """x' = tanh(A x + B z) with a learned gain; the read-out is a diagonal Gaussian."""

    def __init__(self, observation, latent):
        super().__init__()
        self.latent = latent
        self.transition = nn.Linear(latent, latent)
        self.innovate = nn.Linear(observation + latent, latent)
        self.forget = nn.Linear(observation, latent)
        self.readout = nn.Linear(latent, 2)

    def prior(self, n):
        return Belief(torch.zeros(n, self.latent), torch.zeros(n, self.latent))

    def forward(self, belief, obs):
        predicted = torch.tanh(self.transition(belief.mean))
        gain = torch.sigmoid(-belief.log_var)
        correction = self.innovate(torch.cat((obs, predicted), -1))
        mean = predicted + (1 - gain) * torch.tanh(correction)
        log_var = 0.9 * belief.log_var + 0.1 * self.forget(obs)
        return Belief(mean, log_var)

    def nll(self, belief, truth):
        pos = self.readout(belief.mean)
        log_var = belief.log_var[:, :2].clamp(-4, 4)
        return 0.5 * ((truth - pos).square() * torch.exp(-log_var) + log_var).mean()
