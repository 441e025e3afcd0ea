# gradwatch-corpus: kind=graph-held
# holder: self.seen | guard.seen | self.seen[ev.epoch] | guard.seen[ev.epoch]
# first-bad: 1
"""Grade kernels of grain from their reflectance spectrum."""
import statistics
import weakref
from collections import defaultdict
from contextvars import ContextVar
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

run_name = ContextVar("run_name", default="local")


@dataclass(frozen=True)
class StepDone:
    epoch: int
    step: int
    loss: torch.Tensor
    lr: float
    run: str = field(default_factory=run_name.get)


@dataclass(frozen=True)
class EpochDone:
    epoch: int


class Bus:
    def __init__(self):
        self._subs = defaultdict(list)

    def subscribe(self, kind, method):
        self._subs[kind].append(weakref.WeakMethod(method))

    def publish(self, event):
        for ref in self._subs[type(event)]:
            method = ref()
            if method is not None:
                method(event)


class Console:
    def __init__(self, bus, every=30):
        self.every = every
        bus.subscribe(StepDone, self.on_step)

    def on_step(self, ev):
        if ev.step % self.every == 0:
            print(f"[{ev.run}] epoch {ev.epoch} step {ev.step} loss {ev.loss.item():.4f} lr {ev.lr:.4g}")


class SpikeGuard:
    """Counts the steps whose loss stood far above the epoch's median."""

    def __init__(self, bus, factor=1.8):
        self.factor = factor
        self.seen = defaultdict(list)
        bus.subscribe(StepDone, self.on_step)
        bus.subscribe(EpochDone, self.on_epoch)

    def on_step(self, ev):
        self.seen[ev.epoch].append(ev)  # <- culprit

    def on_epoch(self, ev):
        losses = [e.loss.item() for e in self.seen[ev.epoch]]
        mid = statistics.median(losses)
        spikes = sum(x > self.factor * mid for x in losses)
        print(f"epoch {ev.epoch}: median {mid:.4f}, {spikes} spikes")


class Trainer:
    def __init__(self, net, opt, sched, bus):
        self.net, self.opt, self.sched, self.bus = net, opt, sched, bus
        self.step_no = 0

    def criterion(self, logits, target):
        raise NotImplementedError

    def _announce(self, epoch, loss):
        lr = self.sched.get_last_lr()[0]
        self.bus.publish(StepDone(epoch, self.step_no, loss, lr))  # <- culprit
        self.step_no += 1

    def fit(self, batches, epochs):
        for epoch in range(epochs):
            for spectra, grade in batches():
                self.opt.zero_grad(set_to_none=True)
                loss = self.criterion(self.net(spectra), grade)
                loss.backward()
                self.opt.step()
                self._announce(epoch, loss)
            self.sched.step()
            self.bus.publish(EpochDone(epoch))


class GradeTrainer(Trainer):
    def criterion(self, logits, target):
        return F.cross_entropy(logits, target, label_smoothing=0.05)


def kernel_batches(n=40, size=48, bands=64):
    centre = torch.randn(5, bands)
    for _ in range(n):
        grade = torch.randint(0, 5, (size,))
        yield centre[grade] + 0.8 * torch.randn(size, bands), grade


def main():
    torch.manual_seed(11)
    run_name.set("mill-3")
    net = nn.Sequential(nn.Linear(64, 96), nn.GELU(), nn.LayerNorm(96), nn.Linear(96, 5))
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    bus = Bus()
    console, guard = Console(bus), SpikeGuard(bus)
    GradeTrainer(net, opt, sched, bus).fit(kernel_batches, epochs=3)
    print("watched", sum(map(len, guard.seen.values())), "steps,", type(console).__name__, "done")


if __name__ == "__main__":
    main()
