# gradwatch-corpus: kind=none
"""Two regression tasks balanced by the size of their gradients at the shared trunk."""
from collections import defaultdict

import torch
import torch.nn as nn


class SharedTrunk(nn.Module):
    def __init__(self, d_in=10, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.heads = nn.ModuleDict({"yield": nn.Linear(width, 1), "purity": nn.Linear(width, 1)})

    def forward(self, x):
        z = self.trunk(x)
        return {k: head(z).squeeze(1) for k, head in self.heads.items()}

    @property
    def last_shared(self):
        return self.trunk[2].weight


class GradientBalancer:
    """weight_i is inversely proportional to an EMA of the gradient norm of task i."""

    def __init__(self, tasks, beta=0.9):
        self.beta = beta
        self.norm_ema = {t: None for t in tasks}
        self.weights = {t: 1.0 for t in tasks}

    def update(self, losses, parameter):
        for name, loss in losses.items():
            g, = torch.autograd.grad(loss, parameter, retain_graph=True)
            n = g.norm()
            old = self.norm_ema[name]
            self.norm_ema[name] = n if old is None else self.beta * old + (1 - self.beta) * n
        mean = sum(self.norm_ema.values()) / len(self.norm_ema)
        self.weights = {t: (mean / (v + 1e-8)).item() for t, v in self.norm_ema.items()}
        return self.weights


class Experiment:
    def __init__(self):
        self.model = SharedTrunk()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.balancer = GradientBalancer(self.model.heads.keys())
        self.history = defaultdict(list)

    def step(self, x, targets):
        out = self.model(x)
        losses = {k: (out[k] - targets[k]).pow(2).mean() for k in out}
        w = self.balancer.update(losses, self.model.last_shared)
        total = sum(w[k] * losses[k] for k in losses)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        for k, v in losses.items():
            self.history[k].append(v.detach())
        self.history["w_yield"].append(w["yield"])

    def summary(self, last):
        parts = []
        for k, vals in self.history.items():
            tail = [float(v) for v in vals[-last:]]
            parts.append(f"{k}={sum(tail) / len(tail):.4f}")
        return "  ".join(parts)


def reactor_data(n, g):
    x = torch.randn(n, 10, generator=g)
    y1 = 12 * torch.sin(x[:, 0]) + 5 * x[:, 1] * x[:, 2]
    y2 = 0.2 * torch.tanh(x[:, 3] - x[:, 0])
    return x, {"yield": y1, "purity": y2}


def main():
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    exp = Experiment()
    for it in range(1, 201):
        exp.step(*reactor_data(64, g))
        if it % 40 == 0:
            print(it, exp.summary(40))


if __name__ == "__main__":
    main()
