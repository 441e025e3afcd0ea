# gradwatch-corpus: kind=none
# about: retain_graph=True is needed here (one trunk, one backward for each task, surgery on the gradients), and the cache by plot id is without gradient and full after one epoch
"""Yield, protein and disease of wheat plots from weather series, with projected conflicting gradients."""
import random
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn

random.seed(2)
torch.manual_seed(2)
PLOTS, ROWS = 1200, 24


class Farm:
    def __init__(self):
        self.weather = torch.randn(PLOTS, 4, 40).cumsum(-1) * 0.2
        w = self.weather.mean(-1)
        self.labels = {"crop": 5 + w[:, 0] - 0.3 * w[:, 1] ** 2,
                       "protein": 12 - 0.5 * w[:, 0] + w[:, 2],
                       "blight": (w[:, 1] + w[:, 3] > 0).float()}

    def tours(self):
        while True:
            order = torch.randperm(PLOTS)
            yield from order.split(ROWS)


class Frozen:
    """Features of a fixed random convolution bank, computed once for each plot."""

    def __init__(self, farm):
        self.farm, self.bank, self.seen = farm, nn.Conv1d(4, 48, 7, stride=3), {}

    @torch.no_grad()
    def __call__(self, plots):
        rows = plots.tolist()
        new = [r for r in rows if r not in self.seen]
        if new:
            feats = torch.relu(self.bank(self.farm.weather[new])).flatten(1)
            self.seen.update(zip(new, feats.clone().unbind(0)))
        return torch.stack([self.seen[r] for r in rows])


class Agro(nn.Module):
    def __init__(self, feats):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(feats, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.tips = nn.ModuleDict({k: nn.Linear(32, 1) for k in ("crop", "protein", "blight")})

    def forward(self, x):
        z = self.trunk(x)
        return {k: tip(z).squeeze(1) for k, tip in self.tips.items()}


@contextmanager
def own_gradient(params, into):
    for p in params:
        p.grad = None
    yield
    into.append([torch.zeros_like(p) if p.grad is None else p.grad for p in params])


def project(packs):
    flat = [torch.cat([g.flatten() for g in pack]) for pack in packs]
    fixed = []
    for i, g in enumerate(flat):
        g = g.clone()
        for j in random.sample(range(len(flat)), len(flat)):
            dot = g @ flat[j]
            if j != i and dot < 0:
                g -= dot / (flat[j] @ flat[j] + 1e-12) * flat[j]
        fixed.append(g)
    return sum(fixed)


farm = Farm()
bank, net = Frozen(farm), Agro(48 * 12)
params = list(net.parameters())
opt = torch.optim.Adam(params, lr=1e-3)
for step, plots in zip(range(360), farm.tours()):
    out = net(bank(plots))
    aims = {k: (F.binary_cross_entropy_with_logits if k == "blight" else F.smooth_l1_loss)(v, farm.labels[k][plots])
            for k, v in out.items()}
    packs = []
    for k, aim in aims.items():
        with own_gradient(params, packs):
            aim.backward(retain_graph=k != "blight")
    merged, at = project(packs), 0
    for p in params:
        p.grad = merged[at:at + p.numel()].view_as(p)
        at += p.numel()
    opt.step()
    if step % 60 == 0:
        print(f"step {step:3d}", {k: round(a.item(), 3) for k, a in aims.items()}, "plots cached", len(bank.seen))
