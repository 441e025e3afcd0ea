import torch


class Plugin:
    event = None

    def install(self, bus):
        bus.on(self.event, self.handle)
        return self

    def handle(self, **payload):
        raise NotImplementedError


class LossMeter(Plugin):
    event = "scored"

    def __init__(self):
        self.total, self.count = 0.0, 0

    def handle(self, loss, **_):
        self.total += loss.item()
        self.count += 1

    @property
    def mean(self):
        return self.total / max(1, self.count)


class UnitBall(Plugin):
    event = "scored"  # <- culprit

    def __init__(self, radius):
        self.radius = radius

    @torch.no_grad()
    def handle(self, trainer, **_):
        for weight in trainer.model.constrained():
            norm = weight.norm(dim=1, keepdim=True).clamp_min(1e-6)
            weight.mul_((self.radius / norm).clamp(max=1.0))  # <- culprit
