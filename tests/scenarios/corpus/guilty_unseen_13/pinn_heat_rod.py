# gradwatch-corpus: kind=graph-held
# holder: self.trace | probe.trace | self.trace[name] | probe.trace[name]
# first-bad: 1
# notice: 20
"""Physics-informed network for the heat equation on a rod, u_t = a u_xx, u(0)=u(1)=0.
We follow the spread of each tanh layer, because our deeper variants saturate early."""
import math
from collections import defaultdict

import torch
from torch import nn

ALPHA = 0.1


def exact(x, t):
    return torch.sin(math.pi * x) * torch.exp(-ALPHA * math.pi ** 2 * t)


class SaturationProbe:
    """Forward hooks on every tanh; switched on for one forward in `every`."""

    def __init__(self, net, every=4):
        self.every = every
        self.trace = defaultdict(list)
        self.enabled = False
        self.handles = [
            m.register_forward_hook(self._hook(name))
            for name, m in net.named_modules() if isinstance(m, nn.Tanh)
        ]

    def _hook(self, name):
        def record(module, args, out):
            if self.enabled:
                self.trace[name].append(out.std())  # <- culprit
        return record

    def tick(self, step):
        self.enabled = step % self.every == 0

    def summary(self, last=10):
        return {k: round(sum(v.item() for v in vals[-last:]) / last, 3) for k, vals in self.trace.items()}

    def close(self):
        for h in self.handles:
            h.remove()


class RodNet(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        layers = []
        for a, b in zip(dims, dims[1:]):
            lin = nn.Linear(a, b)
            nn.init.xavier_normal_(lin.weight)
            layers += [lin, nn.Tanh()]
        self.stack = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, x, t):
        return self.stack(torch.cat([x, t], dim=1))


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual(net, x, t):
    x = x.requires_grad_()
    t = t.requires_grad_()
    u = net(x, t)
    u_x = d(u, x)
    return d(u, t) - ALPHA * d(u_x, x)


class Collocation:
    def __init__(self, seed, n_interior=64, n_edge=24):
        self.g = torch.Generator().manual_seed(seed)
        self.n_interior, self.n_edge = n_interior, n_edge

    def interior(self):
        p = torch.rand(self.n_interior, 2, generator=self.g)
        return p[:, :1].clone(), p[:, 1:].clone()

    def initial(self):
        x = torch.rand(self.n_edge, 1, generator=self.g)
        return x, torch.zeros_like(x)

    def walls(self):
        t = torch.rand(self.n_edge, 1, generator=self.g)
        x = (torch.rand(self.n_edge, 1, generator=self.g) < 0.5).float()
        return x, t


def error(net, n=20):
    axis = torch.linspace(0, 1, n)
    x, t = (v.reshape(-1, 1) for v in torch.meshgrid(axis, axis, indexing="ij"))
    with torch.no_grad():
        diff = net(x, t) - exact(x, t)
        return (diff.norm() / exact(x, t).norm()).item()


def train(steps=400):
    torch.manual_seed(21)
    net = RodNet()
    points = Collocation(21)
    probe = SaturationProbe(net, every=4)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.998)
    for step in range(steps):
        probe.tick(step)
        pde = residual(net, *points.interior()).square().mean()
        probe.enabled = False
        x0, t0 = points.initial()
        ic = (net(x0, t0) - exact(x0, t0)).square().mean()
        bc = net(*points.walls()).square().mean()
        loss = pde + 10 * ic + 10 * bc
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 100 == 99:
            print(f"{step + 1}: pde {pde.item():.2e} ic {ic.item():.2e} rel. error {error(net):.3f} {probe.summary()}")
    probe.close()


if __name__ == "__main__":
    train()
