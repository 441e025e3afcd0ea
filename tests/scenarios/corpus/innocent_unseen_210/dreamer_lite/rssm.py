from dataclasses import dataclass, fields

import torch
from torch import nn


@dataclass
class State:
    h: torch.Tensor
    z: torch.Tensor

    def map(self, fn):
        return State(*(fn(getattr(self, f.name)) for f in fields(self)))

    @property
    def feat(self):
        return torch.cat([self.h, self.z], -1)


class RSSM(nn.Module):
    def __init__(self, obs, act, h=32, z=8):
        super().__init__()
        self.hd, self.zd = h, z
        self.cell = nn.GRUCell(z + act, h)
        self.prior = nn.Linear(h, 2 * z)
        self.post = nn.Sequential(nn.Linear(h + obs, 48), nn.ELU(), nn.Linear(48, 2 * z))
        self.dec = nn.Sequential(nn.Linear(h + z, 48), nn.ELU(), nn.Linear(48, obs))

    def initial(self, bs):
        return State(torch.zeros(bs, self.hd), torch.zeros(bs, self.zd))

    @staticmethod
    def dist(x):
        m, s = x.chunk(2, -1)
        return torch.distributions.Normal(m, nn.functional.softplus(s) + 0.1)

    def imagine(self, state, a):
        h = self.cell(torch.cat([state.z, a], -1), state.h)
        p = self.dist(self.prior(h))
        return State(h, p.rsample()), p

    def observe(self, state, a, o, first):
        state = state.map(lambda x: x * (1 - first[:, None]))
        h = self.cell(torch.cat([state.z, a], -1), state.h)
        p, q = self.dist(self.prior(h)), self.dist(self.post(torch.cat([h, o], -1)))
        return State(h, q.rsample()), p, q
