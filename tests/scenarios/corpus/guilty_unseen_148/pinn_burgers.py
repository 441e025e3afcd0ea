# gradwatch-corpus: kind=graph-held
# holder: worst | residual.__defaults__[0] | residual.__defaults__
# first-bad: 1
# notice: 8
"""Physics-informed net for the viscous Burgers equation u_t + u u_x = nu u_xx."""
import math

import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)

NU = 0.01 / math.pi


class FourierMLP(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        self.register_buffer("freq", torch.randn(2, 8))
        layers, d = [], 16
        for _ in range(depth):
            layers += [nn.Linear(d, width), nn.Tanh()]
            d = width
        self.net = nn.Sequential(*layers, nn.Linear(d, 1))

    def forward(self, x, t):
        z = torch.cat([x, t], -1) @ self.freq
        return self.net(torch.cat([z.sin(), z.cos()], -1))


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(model, x, t, worst=[]):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = model(x, t)
    u_t, u_x = grad(u, t), grad(u, x)
    r = u_t + u * u_x - NU * grad(u_x, x)
    worst.append(r.abs().max())  # <- culprit
    if len(worst) % 25 == 0:
        print(f"  worst residual of the last 25: {max(w.item() for w in worst[-25:]):.3f}")
    return r


def interior(n):
    return torch.rand(n, 1) * 2 - 1, torch.rand(n, 1)


def boundary_loss(model, n=16):
    t = torch.rand(n, 1)
    left, right = model(-torch.ones(n, 1), t), model(torch.ones(n, 1), t)
    return left.square().mean() + right.square().mean()


def initial_loss(model, n=32):
    x = torch.rand(n, 1) * 2 - 1
    return (model(x, torch.zeros_like(x)) + torch.sin(math.pi * x)).square().mean()


def train(iters=100):
    model = FourierMLP()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for i in range(iters):
        opt.zero_grad()
        pde = residual(model, *interior(48)).square().mean()
        loss = pde + boundary_loss(model) + 5 * initial_loss(model)
        loss.backward()
        opt.step()
        if i % 20 == 0:
            print(f"{i:3d} loss {loss.item():.4f}")
    return model


if __name__ == "__main__":
    train()
