# gradwatch-corpus: kind=graph-held
# holder: self.ctx | self.ctx.previous | loop.ctx | loop.ctx.previous | ctx.previous | self.previous | ctx.loss | self.ctx.loss | self.loss
# first-bad: 1
"""Chest radiograph triage, multi-label, with plugins called around each step.

The step context carries what plugins need to know about this step and the one before it.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn.functional as F
from torch import nn

FINDINGS = ("effusion", "cardiomegaly", "nodule", "consolidation")
PLUGINS = {}


def plugin(name):
    def register(cls):
        PLUGINS[name] = cls
        return cls
    return register


@dataclass
class StepContext:
    index: int = -1
    loss: Optional[torch.Tensor] = None
    lr: float = 0.0
    previous: Optional[StepContext] = None

    def advance(self, lr: float) -> StepContext:
        return StepContext(index=self.index + 1, lr=lr, previous=self)  # <- culprit

    def improvement(self) -> float:
        if self.previous is None or self.previous.loss is None:
            return 0.0
        return self.previous.loss.item() - self.loss.item()


class Plugin:
    def before(self, ctx, model): ...
    def after(self, ctx, model): ...


@plugin("trend")
class TrendPrinter(Plugin):
    def __init__(self, every=60):
        self.every, self.gain, self.worse = every, 0.0, 0

    def after(self, ctx, model):
        delta = ctx.improvement()
        self.gain += delta
        self.worse += delta < 0
        if ctx.index and ctx.index % self.every == 0:
            print(f"step {ctx.index}: loss {ctx.loss.item():.4f}, net gain {self.gain:+.4f}, "
                  f"{self.worse} of {self.every} steps got worse, lr {ctx.lr:.2e}")
            self.gain, self.worse = 0.0, 0


@plugin("maxnorm")
class MaxNorm(Plugin):
    def __init__(self, limit=3.0):
        self.limit = limit

    @torch.no_grad()
    def after(self, ctx, model):
        w = model.classify.weight
        w.mul_((self.limit / w.norm(dim=1, keepdim=True).clamp_min(1e-6)).clamp(max=1.0))


class TriageNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 5, stride=2, padding=2)
        self.mid = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.norm = nn.GroupNorm(4, 16)
        self.classify = nn.Linear(16, len(FINDINGS))

    def forward(self, x):
        h = F.relu(self.stem(x))
        h = F.relu(self.norm(self.mid(h)))
        return self.classify(h.amax(dim=(2, 3)))


class TrainLoop:
    def __init__(self, plugins, steps=260):
        self.model = TriageNet()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=3e-3)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, 6e-3, total_steps=steps)
        self.plugins = [PLUGINS[p]() for p in plugins]
        self.pos_weight = torch.tensor([1.0, 1.5, 2.0, 1.5])
        self.steps = steps
        self.ctx = StepContext()

    def step(self, image, labels):
        self.ctx = self.ctx.advance(self.sched.get_last_lr()[0])  # <- culprit
        for p in self.plugins:
            p.before(self.ctx, self.model)
        loss = F.binary_cross_entropy_with_logits(self.model(image), labels, pos_weight=self.pos_weight)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.ctx.loss = loss  # <- culprit
        for p in self.plugins:
            p.after(self.ctx, self.model)

    def run(self, source):
        for _, (image, labels) in zip(range(self.steps), source):
            self.step(image, labels)


def radiographs(seed, batch=8, size=32):
    g = torch.Generator().manual_seed(seed)
    marks = torch.randn(len(FINDINGS), 7, 7, generator=g)
    while True:
        labels = (torch.rand(batch, len(FINDINGS), generator=g) < 0.35).float()
        image = 0.5 * torch.randn(batch, 1, size, size, generator=g)
        for b, f in labels.nonzero().tolist():
            r, c = torch.randint(0, size - 7, (2,), generator=g).tolist()
            image[b, 0, r:r + 7, c:c + 7] += marks[f]
        yield image, labels


if __name__ == "__main__":
    torch.manual_seed(77)
    loop = TrainLoop(["trend", "maxnorm"])
    loop.run(radiographs(seed=5))
