from contextlib import contextmanager
from dataclasses import dataclass, replace

import torch

from .core import plugin


@dataclass(frozen=True)
class Level:
    value: torch.Tensor | None = None
    count: int = 0

    def push(self, x, beta):
        value = x if self.value is None else beta * self.value + (1 - beta) * x
        return replace(self, value=value, count=self.count + 1)


@plugin("smooth")
class SmoothedLoss:
    def __init__(self, beta, patience):
        self.beta, self.patience = beta, patience
        self.state, self.best, self.bad = Level(), float("inf"), 0

    def install(self, loom):
        loom.on("loss", self.observe)

    def observe(self, loom, loss):
        self.state = self.state.push(loss.detach(), self.beta)
        level = self.state.value.item()
        self.bad = 0 if level < self.best else self.bad + 1
        self.best = min(self.best, level)
        if self.bad > self.patience:
            for g in loom.optimizer.param_groups:
                g["lr"] *= 0.5
            self.bad = 0


@plugin("ema")
class Shadow:
    def __init__(self, decay, every, holdout):
        self.decay, self.every, self.holdout = decay, every, holdout

    def install(self, loom):
        self.shadow = {k: v.detach().clone() for k, v in loom.model.state_dict().items()}
        loom.on("stepped", self.track)
        loom.on("stepped", self.score)

    @torch.no_grad()
    def track(self, loom):
        for k, v in loom.model.state_dict().items():
            self.shadow[k].lerp_(v, 1 - self.decay)

    @contextmanager
    def swapped(self, model):
        live = {k: v.detach().clone() for k, v in model.state_dict().items()}
        model.load_state_dict(self.shadow)
        yield model
        model.load_state_dict(live)

    @torch.no_grad()
    def score(self, loom):
        if (loom.it + 1) % self.every == 0:
            x, y = self.holdout
            with self.swapped(loom.model) as m:
                print(f"it {loom.it:4d} ema acc {(m(x).argmax(1) == y).float().mean().item():.3f}")


@plugin("maxnorm")
class MaxNorm:
    def __init__(self, limit):
        self.limit = limit

    def install(self, loom):
        loom.on("stepped", self.project)

    @torch.no_grad()
    def project(self, loom):
        for p in loom.model.parameters():
            if p.dim() == 2:
                p.mul_((self.limit / p.norm(dim=1, keepdim=True).clamp(min=1e-6)).clamp(max=1.0))
