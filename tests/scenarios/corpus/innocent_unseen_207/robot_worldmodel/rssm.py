from typing import NamedTuple

import torch
from torch import nn


class Belief(NamedTuple):
    hidden: torch.Tensor
    latent: torch.Tensor

    def detach(self):
        return Belief(*(part.detach() for part in self))

    @classmethod
    def initial(cls, envs, hidden, latent):
        return cls(torch.zeros(envs, hidden), torch.zeros(envs, latent))


class WorldModel(nn.Module):
    def __init__(self, obs, act, hidden=24, latent=8):
        super().__init__()
        self.cell = nn.GRUCell(latent + act, hidden)
        self.prior = nn.Linear(hidden, 2 * latent)
        self.posterior = nn.Linear(hidden + obs, 2 * latent)
        self.decoder = nn.Linear(hidden + latent, obs)

    def forward(self, belief, action, obs):
        hidden = self.cell(torch.cat([belief.latent, action], dim=-1), belief.hidden)
        p_mean, p_std = self.prior(hidden).chunk(2, dim=-1)
        q_mean, q_std = self.posterior(torch.cat([hidden, obs], dim=-1)).chunk(2, dim=-1)
        p = torch.distributions.Normal(p_mean, p_std.exp())
        q = torch.distributions.Normal(q_mean, q_std.exp())
        latent = q.rsample()
        recon = self.decoder(torch.cat([hidden, latent], dim=-1))
        kl = torch.distributions.kl_divergence(q, p).sum(-1).mean()
        return Belief(hidden, latent), (recon - obs).pow(2).sum(-1).mean(), kl
