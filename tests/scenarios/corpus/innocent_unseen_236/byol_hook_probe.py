# gradwatch-corpus: kind=none
"""BYOL with an EMA teacher; every few iterations a forward hook measures the rank of hidden features."""
import copy
import math
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F

C = {"feat": 20, "width": 48, "proj": 16, "batch": 48, "iters": 100, "base_m": 0.95, "lr": 2e-3, "probe_every": 10}


class Backbone(nn.Module):
    def __init__(self, feat, width, proj):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(feat, width),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.BatchNorm1d(width),
            nn.ReLU(),
        )
        self.proj = nn.Linear(width, proj)

    def forward(self, x):
        return self.proj(self.trunk(x))


class BYOL(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.student = Backbone(c["feat"], c["width"], c["proj"])
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.pred = nn.Sequential(nn.Linear(c["proj"], 32), nn.ReLU(), nn.Linear(32, c["proj"]))

    def side(self, a, b):
        p = F.normalize(self.pred(self.student(a)), dim=-1)
        with torch.no_grad():
            t = F.normalize(self.teacher(b), dim=-1)
        return 2.0 - 2.0 * torch.einsum("bd,bd->b", p, t).mean()

    def forward(self, a, b):
        return 0.5 * (self.side(a, b) + self.side(b, a))

    @torch.no_grad()
    def ema(self, m):
        for s, t in zip(self.student.parameters(), self.teacher.parameters()):
            t.data = m * t.data + (1.0 - m) * s.data


@contextmanager
def capture(module, store):
    def hook(_mod, _inp, out):
        store.append(out)

    handle = module.register_forward_hook(hook)
    try:
        yield store
    finally:
        handle.remove()


def effective_rank(h):
    s = torch.linalg.svdvals(h - h.mean(0))
    p = s / s.sum()
    return torch.exp(-(p * (p + 1e-9).log()).sum()).item()


class ClusterData:
    def __init__(self, feat, k=6):
        self.mu = 2.0 * torch.randn(k, feat)

    def views(self, n):
        c = torch.randint(0, self.mu.size(0), (n,))
        x = self.mu[c] + torch.randn(n, self.mu.size(1))
        return [x * torch.bernoulli(torch.full_like(x, 0.8)) + 0.2 * torch.randn_like(x) for _ in range(2)]


def momentum(base, it, total):
    return 1.0 - (1.0 - base) * (math.cos(math.pi * it / total) + 1.0) / 2.0


def main():
    torch.manual_seed(64)
    data = ClusterData(C["feat"])
    model = BYOL(C)
    params = [p for p in model.parameters() if p.requires_grad]
    opt = torch.optim.SGD(params, lr=C["lr"] * 10, momentum=0.9)
    scratch = []
    log = {"loss": [], "rank": []}
    for it in range(C["iters"]):
        a, b = data.views(C["batch"])
        if it % C["probe_every"] == 0:
            with capture(model.student.trunk, scratch):
                loss = model(a, b)
            with torch.no_grad():
                log["rank"].append(effective_rank(torch.cat(scratch)))
            scratch.clear()
        else:
            loss = model(a, b)
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.ema(momentum(C["base_m"], it, C["iters"]))
        log["loss"].append(loss.item())
        if (it + 1) % 25 == 0:
            print(f"{it + 1:3d} loss {sum(log['loss'][-25:]) / 25:.4f} erank {log['rank'][-1]:.2f}")


if __name__ == "__main__":
    main()
