from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import softplus


class Latent(NamedTuple):
    deter: Tensor
    stoch: Tensor

    @property
    def feat(self):
        return torch.cat(self, dim=-1)


class RSSM(nn.Module):
    def __init__(self, obs_dim, act_dim, deter=48, stoch=8, hidden=48):
        super().__init__()
        self.sizes = deter, stoch
        self.inp = nn.Linear(stoch + act_dim, hidden)
        self.gru = nn.GRUCell(hidden, deter)
        self.prior_net = nn.Sequential(nn.Linear(deter, hidden), nn.ELU(), nn.Linear(hidden, 2 * stoch))
        self.post_net = nn.Sequential(nn.Linear(deter + obs_dim, hidden), nn.ELU(), nn.Linear(hidden, 2 * stoch))
        self.decoder = nn.Sequential(nn.Linear(deter + stoch, hidden), nn.ELU(), nn.Linear(hidden, obs_dim))

    def initial(self, batch):
        return Latent(*(torch.zeros(batch, s) for s in self.sizes))

    @staticmethod
    def stats(raw):
        mean, std = raw.chunk(2, dim=-1)
        return mean, softplus(std) + 0.1

    def observe(self, prev, act, obs):
        x = torch.relu(self.inp(torch.cat([prev.stoch, act], dim=-1)))
        deter = self.gru(x, prev.deter)
        prior = self.stats(self.prior_net(deter))
        post = self.stats(self.post_net(torch.cat([deter, obs], dim=-1)))
        stoch = post[0] + post[1] * torch.randn_like(post[1])
        return prior, post, Latent(deter, stoch)

    def decode(self, latent):
        return self.decoder(latent.feat)
