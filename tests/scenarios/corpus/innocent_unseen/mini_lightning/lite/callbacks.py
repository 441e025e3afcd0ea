import copy

import torch


class LossHistory:
    def __init__(self):
        self.values = []

    def on_train_batch_end(self, trainer, module):
        self.values.append(trainer.logged["train_loss"])


class Checkpoint:
    best, state = float("inf"), None

    def on_epoch_end(self, trainer, module, epoch):
        if trainer.logged["val_loss"] < self.best:
            self.best = trainer.logged["val_loss"].item()
            self.state = copy.deepcopy(module.state_dict())
            print(f"epoch {epoch} best {self.best:.4f}")


class EMACallback:
    def __init__(self, decay):
        self.decay, self.avg = decay, None

    @torch.no_grad()
    def on_train_batch_end(self, trainer, module):
        if self.avg is None:
            self.avg = copy.deepcopy({k: v for k, v in module.state_dict().items()})
        for k, v in module.state_dict().items():
            self.avg[k].lerp_(v, 1 - self.decay)
