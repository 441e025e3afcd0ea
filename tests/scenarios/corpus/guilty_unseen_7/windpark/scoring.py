"""Score keepers. A keeper sees every batch and may print a summary when an epoch is over."""
import statistics
from abc import ABC, abstractmethod


class Keeper(ABC):
    registry = {}

    def __init_subclass__(cls, key=None, **kw):
        super().__init_subclass__(**kw)
        if key:
            Keeper.registry[key] = cls

    @abstractmethod
    def update(self, stage, forecast, actual): ...

    def epoch_over(self, stage):
        pass


class Bias(Keeper, key="bias"):
    def __init__(self):
        self.sum, self.n = 0.0, 0

    def update(self, stage, forecast, actual):
        self.sum += (forecast - actual).sum().item()
        self.n += actual.numel()

    def epoch_over(self, stage):
        print(f"   {stage}: bias {self.sum / max(1, self.n):+.4f}")
        self.sum, self.n = 0.0, 0


class Calibration(Keeper, key="calibration"):
    """Reliability of the power forecast, from the raw pairs of an epoch."""

    def __init__(self, bins=5):
        self.bins = bins
        self.pairs = {"fit": [], "check": []}

    def update(self, stage, forecast, actual):
        rows = list(zip(forecast.flatten().tolist(), actual.flatten().tolist()))
        self.pairs[stage].append(rows)  # <- culprit

    def epoch_over(self, stage):
        if stage != "check":
            return
        recent = [p for rows in self.pairs[stage][-4:] for p in rows]
        recent.sort()
        size = len(recent) // self.bins
        table = []
        for b in range(self.bins):
            cut = recent[b * size:(b + 1) * size]
            table.append(round(statistics.fmean(a - f for f, a in cut), 3))
        print(f"   {stage}: reliability by bin {table}")
        self.pairs[stage].clear()
