# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
# u_t + c u_x = s(x, t) on the unit square, initial and inflow values built into the ansatz
import math
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)
C = 0.6


class Field(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        sizes = [2] + [width] * depth + [1]
        self.layers = nn.ModuleList(nn.Linear(i, o) for i, o in zip(sizes, sizes[1:]))

    def forward(self, z):
        h = z
        for k, layer in enumerate(self.layers):
            h = layer(h)
            if k + 1 < len(self.layers):
                h = torch.tanh(h)
        x, t = z[:, :1], z[:, 1:]
        return torch.sin(math.pi * x) + x * t * h


def slopes(u, z):
    du = torch.autograd.grad(u, z, grad_outputs=torch.ones_like(u))[0]  # <- culprit
    return du[:, :1], du[:, 1:]


def source(z):
    x, t = z[:, :1], z[:, 1:]
    return torch.exp(-t) * x * (1 - x)


def points(n=60):
    return torch.rand(n, 2).requires_grad_()


def residual_energy(field):
    z = points()
    ux, ut = slopes(field(z), z)
    at = z.detach()
    r = ut + C * ux - source(at)
    near = torch.exp(-2.0 * at[:, 1:])
    return (near * r.square()).mean()


field = Field()
opt = torch.optim.Adam(field.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.995)
for k in range(500):
    opt.zero_grad()
    energy = residual_energy(field)
    energy.backward()
    opt.step()
    sched.step()
    if k % 100 == 0:
        print(k, energy.item())
