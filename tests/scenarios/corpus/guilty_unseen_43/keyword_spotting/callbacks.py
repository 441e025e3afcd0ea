from dataclasses import dataclass

import torch

from meters import MeterBank


@dataclass
class StepState:
    step: int
    batch: int
    loss: torch.Tensor
    acc: torch.Tensor


class Callback:
    def before_step(self, trainer, step):
        pass

    def after_step(self, trainer, state):
        pass

    def after_epoch(self, trainer, epoch):
        pass


class LRWarmup(Callback):
    def __init__(self, steps):
        self.steps = steps

    def before_step(self, trainer, step):
        scale = min(1.0, (step + 1) / self.steps)
        for group in trainer.opt.param_groups:
            group["lr"] = trainer.cfg.lr * scale


class ProgressCallback(Callback):
    def __init__(self):
        self.bank = MeterBank()

    def after_step(self, trainer, state):
        self.bank.update(state.batch, loss=state.loss, acc=state.acc)  # <- culprit

    def after_epoch(self, trainer, epoch):
        print(f"epoch {epoch}  " + self.bank.line())
