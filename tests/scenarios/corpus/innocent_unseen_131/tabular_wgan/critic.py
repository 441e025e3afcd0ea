import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, d=5):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.f(x).squeeze(-1)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    g, = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return (g.norm(2, dim=1) - 1).pow(2).mean()
