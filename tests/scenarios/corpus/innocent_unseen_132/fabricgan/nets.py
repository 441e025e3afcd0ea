import torch
from torch import nn


def weave(n, t=18):
    x = torch.linspace(0, 6.28, t)
    amp = 0.5 + torch.rand(n, 1)
    return amp * torch.sin(x * 2 + torch.rand(n, 1) * 6.28)


def make_generator(z=4, t=18):
    return nn.Sequential(nn.Linear(z, 24), nn.ReLU(), nn.Linear(24, t))


def make_critic(t=18):
    return nn.Sequential(nn.Linear(t, 24), nn.LeakyReLU(0.2), nn.Linear(24, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
