import bisect
import copy
from dataclasses import dataclass, field
from typing import Any, Dict


@dataclass
class Checkpoint:
    step: int
    weights: Dict[str, Any]
    optimizer: Dict[str, Any]
    extra: Dict[str, Any] = field(default_factory=dict)

    @classmethod
    def take(cls, step, net, opt, **extra):
        weights = {k: v.clone() for k, v in net.state_dict().items()}
        return cls(step, weights, copy.deepcopy(opt.state_dict()), extra)

    def restore(self, net, opt):
        net.load_state_dict(self.weights)
        opt.load_state_dict(self.optimizer)

    @property
    def value(self):
        return self.extra["loss"].item()


class Archive:
    """The newest few, and the best few, of all checkpoints that were added."""

    def __init__(self, keep_last, keep_best):
        self.keep_last = keep_last
        self.keep_best = keep_best
        self.newest = []
        self.ranked = []

    def add(self, ckpt):
        self.newest.append(ckpt)
        del self.newest[: -self.keep_last]
        bisect.insort(self.ranked, ckpt, key=lambda c: c.value)
        del self.ranked[self.keep_best:]

    @property
    def best(self):
        return self.ranked[0]

    def __str__(self):
        return f"{self.newest[0].step}..{self.newest[-1].step}, best from {self.best.step}"
