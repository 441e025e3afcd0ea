# gradwatch-corpus: kind=none
"""Three regression tasks on one trunk, one backward per task (gradient surgery needs them apart)."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class Trunk(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Linear(h, h), nn.GELU())

    def forward(self, x):
        return self.net(x)


class MultiTask(nn.Module):
    def __init__(self, d=10, h=48, tasks=("age", "price", "risk")):
        super().__init__()
        self.trunk = Trunk(d, h)
        self.heads = nn.ModuleDict({t: nn.Linear(h, 1) for t in tasks})
        self.log_var = nn.ParameterDict({t: nn.Parameter(torch.zeros(())) for t in tasks})

    def loss(self, task, feats, y):
        err = F.mse_loss(self.heads[task](feats).squeeze(-1), y)
        return 0.5 * torch.exp(-self.log_var[task]) * err + 0.5 * self.log_var[task], err


class PCGrad:
    """Project conflicting trunk gradients onto each other's normal plane."""

    def __init__(self, params):
        self.params = list(params)
        self.flat = {}

    def capture(self, task):
        self.flat[task] = torch.cat([p.grad.reshape(-1) for p in self.params]).clone()
        for p in self.params:
            p.grad = None

    def merge(self):
        out = torch.zeros_like(next(iter(self.flat.values())))
        for a, ga in self.flat.items():
            g = ga.clone()
            for b, gb in self.flat.items():
                dot = torch.dot(g, gb)
                if b != a and dot < 0:
                    g -= dot / gb.pow(2).sum() * gb
            out += g
        self.flat.clear()
        i = 0
        for p in self.params:
            p.grad = out[i:i + p.numel()].view_as(p).clone()
            i += p.numel()


class Engine:
    def __init__(self, model, lr, aux_start):
        self.model, self.aux_start = model, aux_start
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.surgery = PCGrad(model.trunk.parameters())
        self.history = {t: [] for t in model.heads}

    def tasks(self, i):
        names = list(self.model.heads)
        return names if i >= self.aux_start else names[:1]

    def step(self, i, x, ys):
        self.opt.zero_grad(set_to_none=True)
        feats = self.model.trunk(x)
        tasks = self.tasks(i)
        for k, task in enumerate(tasks):
            loss, err = self.model.loss(task, feats, ys[task])
            loss.backward(retain_graph=k + 1 < len(tasks))
            self.surgery.capture(task)
            self.history[task].append(err.item())
        self.surgery.merge()
        self.opt.step()


def batch(n, d=10):
    x = torch.randn(n, d)
    return x, {"age": x[:, 0] * x[:, 1], "price": x[:, :4].sum(1).tanh(), "risk": (x[:, 2] - x[:, 0]).abs()}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=160)
    ap.add_argument("--aux-start", type=int, default=40)
    args = ap.parse_args()
    torch.manual_seed(12)
    torch.set_num_threads(1)
    eng = Engine(MultiTask(), 2e-3, args.aux_start)
    for i in range(args.iters):
        eng.step(i, *batch(64))
        if i % 40 == 0:
            print(i, {k: round(v[-1], 4) for k, v in eng.history.items() if v})


if __name__ == "__main__":
    main()
