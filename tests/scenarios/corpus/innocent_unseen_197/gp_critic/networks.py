import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, latent, out, width=24):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(nn.Linear(latent, width), nn.ReLU(), nn.Linear(width, out))

    def sample(self, n):
        return self.net(torch.randn(n, self.latent))


class Critic(nn.Module):
    def __init__(self, inputs, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, width), nn.Softplus(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)

    def lipschitz_gap(self, real, fake):
        mix = torch.rand(len(real), 1)
        point = (mix * real + (1 - mix) * fake).requires_grad_()
        (slope,) = torch.autograd.grad(self(point).sum(), point, create_graph=True)
        return (slope.norm(dim=-1) - 1).pow(2).mean()
