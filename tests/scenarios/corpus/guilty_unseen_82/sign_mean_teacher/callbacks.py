import math

import torch.nn.functional as F

from ema import ShadowWeights


class Callback:
    def on_fit_start(self, trainer): ...
    def extra_loss(self, trainer, student_logits, unlabeled): return None
    def on_step_end(self, trainer, logs): ...


class TeacherCallback(Callback):
    def __init__(self, decay, rampup, weight=2.0):
        self.decay, self.rampup, self.weight = decay, rampup, weight
        self.teacher = None

    def on_fit_start(self, trainer):
        self.teacher = ShadowWeights(trainer.net, self.decay)

    def extra_loss(self, trainer, student_logits, unlabeled):
        ramp = math.exp(-5 * (1 - min(1.0, trainer.step / self.rampup)) ** 2)
        target = self.teacher(trainer.data.augment(unlabeled)).softmax(-1)
        return self.weight * ramp * F.mse_loss(student_logits.softmax(-1), target)

    def on_step_end(self, trainer, logs):
        self.teacher.update()  # <- culprit


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, trainer, logs):
        if trainer.step % self.every == 0:
            print(f"{trainer.step:4d} " + " ".join(f"{k}={v:.4f}" for k, v in logs.items()))
