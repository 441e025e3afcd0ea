"""Reporting plug-ins. Register with @plugin("name"); the trainer calls whichever hooks exist."""
from collections import defaultdict
from dataclasses import dataclass

import torch

PLUGINS = {}


def plugin(name, **defaults):
    def deco(cls):
        PLUGINS[name] = cls(**defaults)
        return cls

    return deco


def build_plugins(names):
    return [PLUGINS[n] for n in names]


@dataclass(frozen=True)
class BatchEvent:
    step: int
    loss: float
    logits: torch.Tensor
    labels: torch.Tensor


@plugin("progress", every=60)
class Progress:
    def __init__(self, every):
        self.every = every
        self.mean = None

    def on_batch(self, event):
        self.mean = event.loss if self.mean is None else 0.95 * self.mean + 0.05 * event.loss
        if event.step % self.every == 0:
            print(f"step {event.step:4d}  loss {self.mean:.4f}")


@plugin("reliability", every=4, bins=10)
class ReliabilityDiagram:
    """Expected calibration error over everything seen so far, subsampled."""

    def __init__(self, every, bins):
        self.every = every
        self.n = bins
        self._bins = defaultdict(list)

    def on_batch(self, event):
        if (event.step + 1) % self.every:
            return
        confidence, guess = event.logits.softmax(-1).max(-1)
        correct = guess.eq(event.labels)
        slot = (confidence * self.n).long().clamp_max(self.n - 1)
        for b in slot.unique().tolist():
            inside = slot == b
            self._bins[b].append((confidence[inside], correct[inside]))  # <- culprit

    def on_epoch(self, epoch):
        gap, count = 0.0, 0
        for pairs in self._bins.values():
            conf = torch.cat([c for c, _ in pairs])
            hit = torch.cat([h for _, h in pairs]).float()
            gap += abs(float(conf.sum()) - float(hit.sum()))
            count += len(hit)
        print(f"epoch {epoch}  ECE {gap / max(count, 1):.4f}")
