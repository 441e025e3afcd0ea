from collections import namedtuple

import torch

Data = namedtuple("Data", "x u x_next x0")


def plant(x, u):
    pos = x[:, :3]
    vel = x[:, 3:]
    push = torch.cat([u, u.sum(-1, keepdim=True)], dim=-1)
    acc = -torch.sin(pos) - 0.2 * vel + push
    return torch.cat([pos + 0.1 * vel, vel + 0.1 * acc], dim=-1)


def trajectories(n, batch):
    x = torch.randn(batch, 6)
    for _ in range(n):
        u = torch.randn(batch, 2)
        nxt = plant(x, u) + 0.01 * torch.randn(batch, 6)
        yield Data(x, u, nxt, torch.randn(batch, 6))
        x = torch.where(nxt.norm(dim=-1, keepdim=True) > 6.0, torch.randn(batch, 6), nxt)
