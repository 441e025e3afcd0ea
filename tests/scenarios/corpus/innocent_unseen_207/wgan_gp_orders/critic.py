import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def slope(critic, real, fake):
    mix = torch.rand(len(real), 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_(True)
    grad, = torch.autograd.grad(critic(point).sum(), point, create_graph=True)
    return grad.norm(dim=-1)


def penalised_gap(critic, real, fake, weight=10.0):
    gap = critic(fake).mean() - critic(real).mean()
    penalty = (slope(critic, real, fake) - 1).pow(2).mean()
    return gap + weight * penalty, gap.detach()
