# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Classify small sailing vessels from their wake spectra.  The loop is put together from mixins."""
from __future__ import annotations

import time
from typing import ClassVar

import torch
from torch import nn
import torch.nn.functional as F


class Loop:
    """Base of all loops: the phases of one batch, to be refined by mixins."""
    tasks: ClassVar[dict[str, type]] = {}

    def __init_subclass__(cls, task: str | None = None, **kw):
        super().__init_subclass__(**kw)
        if task:
            Loop.tasks[task] = cls

    def __init__(self, **settings):
        self.__dict__.update(settings)
        self.count = 0
        self.model = self.make_model()
        self.opt = self.make_optimizer()

    # -- phases
    def enter_batch(self, batch):
        self.opt.zero_grad(set_to_none=True)
        return batch

    def leave_batch(self, cost):
        self.count += 1

    def advance(self, cost):
        cost.backward()
        self.opt.step()

    def one(self, batch):
        batch = self.enter_batch(batch)
        cost = self.cost(*batch)
        self.advance(cost)
        self.leave_batch(cost.item())

    def run(self):
        for _, batch in zip(range(self.batches), self.feed()):
            self.one(batch)
        return self


class Clipping:
    def advance(self, cost):
        cost.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.opt.step()


class Jitter:
    """Noise on the inputs, fading out with the batches."""

    def enter_batch(self, batch):  # <- culprit
        spectrum, kind = batch
        much = self.jitter * max(0.0, 1 - self.count / 200)
        return spectrum + much * torch.randn_like(spectrum), kind


class Speaking:
    def leave_batch(self, cost):
        super().leave_batch(cost)
        self.mean = 0.9 * getattr(self, "mean", cost) + 0.1 * cost
        if self.count % self.every == 0:
            print(f"{self.count:4d}  cost {self.mean:.4f}  {time.strftime('%H:%M:%S')}")


class VesselLoop(Speaking, Jitter, Clipping, Loop, task="vessels"):
    kinds = ("xebec", "felucca", "polacca", "tartane", "dhow")
    bins = 48

    def make_model(self):
        return nn.Sequential(nn.Linear(self.bins, 64), nn.ReLU(), nn.Dropout(0.1),
                             nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, len(self.kinds)))

    def make_optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=self.lr, momentum=0.8)

    def feed(self):
        g = torch.Generator().manual_seed(self.seed)
        f = torch.linspace(0, 1, self.bins)
        while True:
            kind = torch.randint(len(self.kinds), (32,), generator=g)
            peak = (0.2 + 0.12 * kind.float() + 0.04 * torch.randn(32, generator=g)).unsqueeze(1)
            width = 0.05 + 0.02 * torch.rand(32, 1, generator=g)
            spectrum = torch.exp(-((f - peak) / width) ** 2) + 0.2 * torch.randn(32, self.bins, generator=g)
            yield spectrum, kind

    def cost(self, spectrum, kind):
        return F.cross_entropy(self.model(spectrum), kind, label_smoothing=0.05)


def main(task="vessels", seed=40):
    torch.manual_seed(seed)
    loop = Loop.tasks[task](seed=seed, lr=0.02, clip=1.0, jitter=0.3, batches=300, every=50).run()
    print("batches:", loop.count, "mean cost:", round(loop.mean, 4))


if __name__ == "__main__":
    main()
