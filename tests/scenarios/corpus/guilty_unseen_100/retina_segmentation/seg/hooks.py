import math

from .losses import boundary, soft_dice
from .meters import MeterSet

HOOKS = {}


def hook(name):
    def wrap(cls):
        HOOKS[name] = cls
        return cls
    return wrap


class Hook:
    def __init__(self, cfg):
        self.cfg = cfg

    def before_train(self, trainer): ...
    def after_step(self, trainer): ...
    def after_train(self, trainer): ...


@hook("validation")
class Validation(Hook):
    """Career-long validation average, so that the report is not one lucky snapshot."""

    def before_train(self, trainer):
        trainer.val_meters = MeterSet(dice=soft_dice, boundary=boundary)

    def after_step(self, trainer):
        if (trainer.step + 1) % self.cfg.validate_every:
            return
        trainer.model.eval()
        logits = trainer.model(trainer.val_set.x)  # <- culprit
        trainer.val_meters.update(logits, trainer.val_set.y)  # <- culprit
        trainer.model.train()


@hook("cosine_lr")
class CosineLr(Hook):
    def after_step(self, trainer):
        frac = (trainer.step + 1) / self.cfg.steps
        for g in trainer.optimizer.param_groups:
            g["lr"] = self.cfg.lr * 0.5 * (1 + math.cos(math.pi * frac))


@hook("final_report")
class FinalReport(Hook):
    def after_train(self, trainer):
        print("train loss %.4f" % trainer.last_loss)
        print("validation over the run:", trainer.val_meters.report())
