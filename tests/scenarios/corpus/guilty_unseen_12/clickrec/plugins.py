"""Board of time series and the plugins that write to it."""
import abc

import torch

REGISTRY = {}


class Series:
    """Descriptor: assignment adds a point, access gives the latest value."""

    def __set_name__(self, owner, name):
        self.slot = f"_{name}_points"

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        points = obj.__dict__.get(self.slot)
        return points[-1][1] if points else float("nan")

    def __set__(self, obj, value):
        obj.__dict__.setdefault(self.slot, []).append((obj.clock, value))  # <- culprit

    def points(self, obj):
        return list(obj.__dict__.get(self.slot, ()))


class Board:
    loss = Series()
    calibration = Series()
    lr = Series()

    def __init__(self):
        self.clock = -1


class Plugin(abc.ABC):
    name: str
    priority = 50

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        REGISTRY[cls.name] = cls

    @abc.abstractmethod
    def on_step_end(self, trainer, **payload):
        ...


class Warmup(Plugin):
    name, priority = "warmup", 10

    def on_step_end(self, trainer, **_):
        factor = min(1.0, (trainer.step + 1) / 30)
        for group in trainer.optimizer.param_groups:
            group["lr"] = trainer.cfg.lr * factor
        trainer.board.lr = trainer.cfg.lr * factor


class Calibration(Plugin):
    """Predicted minus observed click rate, per batch."""
    name, priority = "calibration", 40

    def on_step_end(self, trainer, logits, labels, **_):
        gap = torch.sigmoid(logits).mean() - labels.mean()
        trainer.board.calibration = gap  # <- culprit


class Report(Plugin):
    name, priority = "report", 90

    def on_step_end(self, trainer, loss, **_):
        trainer.board.loss = loss.item()
        if trainer.step % 60 == 0:
            b = trainer.board
            print(f"[{trainer.step:4d}] loss={b.loss:.4f} gap={float(b.calibration):+.4f} lr={b.lr:.1e}")

    def on_end(self, trainer):
        tail = [float(v) for _, v in Board.calibration.points(trainer.board)[-50:]]
        print(f"mean calibration gap of the last {len(tail)} batches: {sum(tail) / len(tail):+.4f}")


def build_plugins(names):
    return sorted((REGISTRY[n]() for n in names), key=lambda p: p.priority)
