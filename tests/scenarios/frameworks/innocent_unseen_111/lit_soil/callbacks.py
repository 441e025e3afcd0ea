import copy

import torch
from lightning.pytorch.callbacks import Callback


class WeightEMA(Callback):
    """Evaluate with exponentially averaged weights."""

    def __init__(self, decay):
        self.decay = decay
        self.shadow = None
        self._backup = None

    def on_fit_start(self, trainer, pl_module):
        self.shadow = copy.deepcopy(pl_module.state_dict())

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        for k, v in pl_module.state_dict().items():
            if v.is_floating_point():
                self.shadow[k] = self.decay * self.shadow[k] + (1 - self.decay) * v
            else:
                self.shadow[k] = v.clone()

    def on_validation_start(self, trainer, pl_module):
        self._backup = {k: v.clone() for k, v in pl_module.state_dict().items()}
        pl_module.load_state_dict(self.shadow)

    def on_validation_end(self, trainer, pl_module):
        pl_module.load_state_dict(self._backup)
        self._backup = None


class History(Callback):
    def __init__(self):
        self.rows = []
        self.last_outputs = None

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.last_outputs = outputs

    def on_train_epoch_end(self, trainer, pl_module):
        row = {k: round(v.item(), 4) for k, v in trainer.callback_metrics.items()}
        row["epoch"] = trainer.current_epoch
        row["last"] = round(float(self.last_outputs["loss"]), 4)
        self.rows.append(row)
