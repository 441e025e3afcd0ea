# gradwatch-corpus: kind=graph-chain
# holder: self._mix | balancer.mix | balancer._mix | self.mix | current | old
# first-bad: 1
"""Multi-task ranker of a home feed (click, dwell, like, hide) with uncertainty weights.

The weights are smoothed over steps: with raw log variances the `hide` task oscillates.
"""
import logging
from functools import cached_property
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("feed")

CFG = SimpleNamespace(users=3000, items=5000, dim=24, batch=256, steps=450, inertia=0.92, lr=3e-3, seed=8)
TASKS = {"click": "bce", "dwell": "mse", "like": "bce", "hide": "bce"}


class Balancer(nn.Module):
    """sum_k exp(-s_k) L_k + s_k with s following the learned values slowly."""

    def __init__(self, names, inertia):
        super().__init__()
        self.raw = nn.ParameterDict({n: nn.Parameter(torch.zeros(())) for n in names})
        self.inertia = inertia
        self._mix = {n: torch.zeros(()) for n in names}

    @property
    def mix(self):
        return self._mix

    @mix.setter
    def mix(self, fresh):
        old = self._mix
        self._mix = {n: torch.lerp(old[n], fresh[n], 1 - self.inertia) for n in fresh}  # <- culprit

    def forward(self, losses):
        self.mix = dict(self.raw.items())
        current = self.mix
        return sum(torch.exp(-current[n]) * losses[n] + current[n] for n in losses)


class Ranker(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.user = nn.Embedding(cfg.users, cfg.dim)
        self.item = nn.Embedding(cfg.items, cfg.dim)
        self.trunk = nn.Sequential(nn.Linear(3 * cfg.dim, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.tops = nn.ModuleDict({n: nn.Linear(32, 1) for n in TASKS})

    def forward(self, u, i):
        a, b = self.user(u), self.item(i)
        z = self.trunk(torch.cat([a, b, a * b], 1))
        return {n: top(z).squeeze(1) for n, top in self.tops.items()}


class Impressions:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)

    @cached_property
    def taste(self):
        g = self.gen
        return torch.randn(self.cfg.users, 6, generator=g), torch.randn(self.cfg.items, 6, generator=g)

    def draw(self):
        g, c = self.gen, self.cfg
        u = torch.randint(c.users, (c.batch,), generator=g)
        i = torch.randint(c.items, (c.batch,), generator=g)
        s = (self.taste[0][u] * self.taste[1][i]).sum(1) / 2.5
        noise = torch.rand(4, c.batch, generator=g)
        return u, i, {"click": (torch.sigmoid(s) > noise[0]).float(), "dwell": F.softplus(s) + noise[1],
                      "like": (torch.sigmoid(s - 2) > noise[2]).float(),
                      "hide": (torch.sigmoid(-s - 3) > noise[3]).float()}


def task_losses(outputs, targets):
    table = {"bce": F.binary_cross_entropy_with_logits, "mse": F.mse_loss}
    return {n: table[kind](outputs[n], targets[n]) for n, kind in TASKS.items()}


def main(cfg):
    torch.manual_seed(cfg.seed)
    model, balancer, source = Ranker(cfg), Balancer(TASKS, cfg.inertia), Impressions(cfg)
    opt = torch.optim.Adagrad([*model.parameters(), *balancer.parameters()], lr=cfg.lr * 4)
    for step in range(cfg.steps):
        u, i, targets = source.draw()
        losses = task_losses(model(u, i), targets)
        whole = balancer(losses)
        opt.zero_grad()
        whole.backward()
        opt.step()
        if step % 75 == 0:
            log.info("step %d  total %.3f  %s | s %s", step, whole.item(),
                     " ".join(f"{n}={v.item():.3f}" for n, v in losses.items()),
                     " ".join(f"{v.item():+.2f}" for v in balancer.mix.values()))


if __name__ == "__main__":
    main(CFG)
