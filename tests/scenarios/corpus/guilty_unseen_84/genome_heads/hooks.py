import copy

import torch


class Hook:
    def begin(self, trainer): ...
    def before_head(self, trainer, name): ...
    def after_step(self, trainer, step, losses): ...


class Loggers(Hook):
    def __init__(self, every):
        self.every = every

    def after_step(self, trainer, step, losses):
        if step % self.every == 0:
            print(step, {k: round(v, 4) for k, v in losses.items()})


class TrunkBlend(Hook):
    """Pulls the trunk toward its slow average, so the splice head cannot drag it away."""

    def __init__(self, start, rate):
        self.start, self.rate = start, rate

    def begin(self, trainer):
        self.slow = copy.deepcopy(trainer.model.trunk).requires_grad_(False)

    @torch.no_grad()
    def _mix(self, into, other, rate):
        for p, q in zip(into.parameters(), other.parameters()):
            p.lerp_(q, rate)  # <- culprit

    def before_head(self, trainer, name):
        if name == "splice" and trainer.step >= self.start:
            self._mix(trainer.model.trunk, self.slow, self.rate)  # <- culprit

    def after_step(self, trainer, step, losses):
        self._mix(self.slow, trainer.model.trunk, 0.1)
