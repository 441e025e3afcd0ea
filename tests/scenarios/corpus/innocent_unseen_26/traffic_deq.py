# gradwatch-corpus: kind=none
"""Traffic flow on a road graph with a deep equilibrium layer: forward without graph, warm start from the
last solution, implicit gradient through a backward hook (the recipe of the DEQ tutorial)."""
import math
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


def fixed_point(f, z, tol=1e-4, max_iter=30):
    history = []
    for _ in range(max_iter):
        new = f(z)
        history.append((new - z).norm().item() / (1e-6 + new.norm().item()))
        z = new
        if history[-1] < tol:
            break
    return z, history


class RoadLayer(nn.Module):
    def __init__(self, adj, dim):
        super().__init__()
        self.register_buffer("adj", adj)
        self.w = nn.Linear(dim, dim, bias=False)
        self.inject = nn.Linear(3, dim)
        nn.init.orthogonal_(self.w.weight, gain=0.7)

    def forward(self, z, x):
        return torch.tanh(self.adj @ self.w(z) + self.inject(x))


@dataclass
class Solver:
    warm: bool = True
    iterations: list = field(default_factory=list)
    last: torch.Tensor = None


class DEQ(nn.Module):
    def __init__(self, layer, dim):
        super().__init__()
        self.layer, self.dim = layer, dim
        self.solver = Solver()
        self.hook = None

    def forward(self, x):
        start = self.solver.last
        if start is None or not self.solver.warm:
            start = torch.zeros(x.shape[0], x.shape[1], self.dim)
        with torch.no_grad():
            z, hist = fixed_point(lambda v: self.layer(v, x), start)
        self.solver.iterations.append(len(hist))
        self.solver.last = z
        z = self.layer(z, x)
        if not (self.training and z.requires_grad):
            return z
        z0 = z.clone().detach().requires_grad_()
        f0 = self.layer(z0, x)

        def implicit(grad):
            if self.hook is not None:
                self.hook.remove()
                self.hook = None
            out, _ = fixed_point(
                lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, torch.zeros_like(grad))
            return out

        self.hook = z.register_hook(implicit)
        return z


class TrafficNet(nn.Module):
    def __init__(self, adj, dim=16):
        super().__init__()
        self.deq = DEQ(RoadLayer(adj, dim), dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        return self.out(self.deq(x)).squeeze(-1)


def roads(n=30, seed=3):
    g = torch.Generator().manual_seed(seed)
    a = (torch.rand(n, n, generator=g) < 0.12).float()
    a = ((a + a.T + torch.eye(n)) > 0).float()
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d


def hours(adj, n, batch=8, seed=4):
    g = torch.Generator().manual_seed(seed)
    for k in range(n):
        t = 2 * math.pi * (k % 24) / 24
        x = torch.rand(batch, len(adj), 3, generator=g)
        y = x[..., 0]
        for _ in range(4):
            y = 0.6 * y @ adj + 0.4 * x[..., 0]
        yield x, y * (1 + 0.3 * math.sin(t))


def main(steps=100):
    torch.manual_seed(0)
    adj = roads()
    net = TrafficNet(adj)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for k, (x, y) in enumerate(hours(adj, steps)):
        loss = F.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if k % 25 == 0:
            it = net.deq.solver.iterations[-25:]
            print(k, f"mse {loss.item():.4f} solver iterations {sum(it) / len(it):.1f}")


if __name__ == "__main__":
    main()
