import torch
from torch import nn


def mlp(*dims):
    layers = []
    for a, b in zip(dims, dims[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


class Generator(nn.Module):
    def __init__(self, z=8):
        super().__init__()
        self.z = z
        self.net = mlp(z, 48, 48, 2)

    def forward(self, n):
        return self.net(torch.randn(n, self.z))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(2, 48, 48, 1)

    def forward(self, x):
        return self.net(x).squeeze(-1)

    def penalty(self, real, fake):
        a = torch.rand(real.size(0), 1)
        mid = (a * real + (1 - a) * fake).requires_grad_()
        (g,) = torch.autograd.grad(self(mid).sum(), mid, create_graph=True, retain_graph=True)
        return (g.norm(dim=1) - 1).pow(2).mean()


class SamplePool:
    """Old fakes shown to the critic again, as in SimGAN."""

    def __init__(self, capacity):
        self.capacity, self.items = capacity, []

    def mix(self, fake):
        out = []
        for row in fake:
            if len(self.items) < self.capacity:
                self.items.append(row.clone())
                out.append(row)
            elif torch.rand(()) < 0.5:
                i = int(torch.randint(self.capacity, ()))
                out.append(self.items[i])
                self.items[i] = row.clone()
            else:
                out.append(row)
        return torch.stack(out)
