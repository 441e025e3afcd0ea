import math

import torch


class Callback:
    def after_forward(self, trainer):
        pass

    def after_step(self, trainer):
        pass


class TargetMomentum(Callback):
    """Moves the target network toward the online one; momentum rises to 1 on a cosine."""

    def __init__(self, base, total):
        self.base, self.total = base, total

    def momentum(self, step):
        return 1 - (1 - self.base) * (math.cos(math.pi * step / self.total) + 1) / 2

    @torch.no_grad()
    def after_forward(self, trainer):
        m = self.momentum(trainer.step)
        for t, o in zip(trainer.model.target.parameters(), trainer.model.online.parameters()):
            t.mul_(m).add_(o, alpha=1 - m)  # <- culprit


class Progress(Callback):
    def __init__(self, every):
        self.every, self.acc = every, 0.0

    def after_step(self, trainer):
        self.acc += trainer.last
        if (trainer.step + 1) % self.every == 0:
            print(f"step {trainer.step + 1:4d} cosine loss {self.acc / self.every:.4f}")
            self.acc = 0.0
