import torch
from torch import nn


class Encoder(nn.Sequential):
    def __init__(self, d_obs, d_z):
        super().__init__(nn.Linear(d_obs, d_z), nn.Tanh())


class Dynamics(nn.Module):
    def __init__(self, d_z, n_act):
        super().__init__()
        self.emb = nn.Embedding(n_act, d_z)
        self.net = nn.Linear(2 * d_z, d_z + 1)

    def forward(self, z, a):
        out = self.net(torch.cat([z, self.emb(a)], -1))
        return out[..., :-1], out[..., -1]


class PointMass:
    def __init__(self, g):
        self.g, self.s = g, torch.zeros(4)

    def step(self, a):
        push = torch.tensor([[-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])[a]
        v = 0.9 * self.s[2:] + 0.1 * push
        self.s = torch.cat([self.s[:2] + v, v]).clamp(-2, 2)
        obs = self.s + 0.01 * torch.randn(4, generator=self.g)
        return obs, -float(self.s[:2].norm())
