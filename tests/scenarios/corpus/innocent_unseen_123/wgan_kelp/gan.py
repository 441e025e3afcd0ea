import torch
from torch import nn


class Growth(nn.Module):
    def __init__(self, latent=4, steps=12):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(nn.Linear(latent, 24), nn.ReLU(), nn.Linear(24, steps))

    def sample(self, n):
        return self.net(torch.randn(n, self.latent)).cumsum(-1)


class Critic(nn.Module):
    def __init__(self, steps=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(steps, 24), nn.Tanh(), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x)


def gradient_penalty(critic, real, fake):
    mix = torch.rand(len(real), 1)
    between = (mix * real + (1 - mix) * fake).requires_grad_()
    (slope,) = torch.autograd.grad(critic(between).sum(), between, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()
