import torch


class Callback:
    def after_loss(self, trainer):
        pass

    def after_step(self, trainer):
        pass


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def after_step(self, trainer):
        if trainer.step % self.every == 0:
            print(trainer.step, {k: round(v, 4) for k, v in trainer.logs.items()})


class LrDecay(Callback):
    def __init__(self, factor):
        self.factor = factor

    def after_step(self, trainer):
        for g in trainer.opt.param_groups:
            g["lr"] *= self.factor


class EmaTeacher(Callback):
    """Follows the student once it has settled a little."""

    def __init__(self, decay, begin):
        self.decay, self.begin = decay, begin

    @torch.no_grad()
    def after_loss(self, trainer):  # <- culprit
        if trainer.step < self.begin:
            return
        for t, s in zip(trainer.teacher.parameters(), trainer.student.parameters()):
            t.mul_(self.decay).add_(s, alpha=1 - self.decay)  # <- culprit
