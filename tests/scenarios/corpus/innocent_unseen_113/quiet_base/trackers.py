from collections import defaultdict

import torch


class Tracker:
    _instances = 0

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        cls.update = torch.no_grad()(cls.update)

    def update(self, **batch):
        raise NotImplementedError


class LossTracker(Tracker):
    """Whole-run curves of the loss: the running sum, the EMA and each step's mean so far."""

    def __init__(self, decay=0.98):
        self.decay = decay
        self.sum = torch.zeros(())
        self.ema = None
        self.curve = []
        self.latest = None

    def update(self, loss, **_):
        self.latest = loss
        self.sum = self.sum + loss
        self.ema = loss * 1.0 if self.ema is None else self.decay * self.ema + (1 - self.decay) * loss
        self.curve.append((self.sum / (len(self.curve) + 1), self.ema))

    def line(self):
        mean, ema = self.curve[-1]
        return f"loss {self.latest.item():.3f} mean {mean.item():.3f} ema {ema.item():.3f}"


class ClassTracker(Tracker):
    def __init__(self, names):
        self.names = names
        self.losses = defaultdict(list)
        self.logits = defaultdict(list)

    def update(self, losses, logits, labels, **_):
        for i, name in enumerate(self.names):
            mask = labels == i
            if mask.any():
                self.losses[name].append(losses[mask].mean())
                self.logits[name].append(logits[mask].mean(0))

    def line(self):
        worst = max(self.losses, key=lambda n: torch.stack(self.losses[n][-10:]).mean().item())
        return f"hardest {worst} ({len(self.losses[worst])} seen)"


class TrackerSet:
    def __init__(self, **trackers):
        self.trackers = trackers

    def feed(self, **batch):
        for t in self.trackers.values():
            t.update(**batch)

    def lines(self):
        return "; ".join(t.line() for t in self.trackers.values())
