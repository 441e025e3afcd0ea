"""Per-district bias and spread of the median forecast."""
from collections import defaultdict

import torch

from training.trainer import Callback


class DistrictResiduals(Callback):
    """Collects residuals during the epoch and condenses them into `table` at its end."""

    def __init__(self):
        self.residuals = defaultdict(list)
        self.table = {}

    def on_batch_end(self, trainer, module, outputs, batch):
        residual = batch["y"] - outputs["pred"]
        self.residuals[batch["district"]].append(residual)  # <- culprit

    def on_epoch_end(self, trainer, module):
        for district, parts in self.residuals.items():
            r = torch.cat(parts)
            self.table[district] = (r.mean().item(), r.std().item())
        self.residuals.clear()
