"""Physical-unit scaling with statistics that follow the data."""
import torch
from torch import nn


class FieldScaler(nn.Module):
    """Per-variable mean and spread, tracked by an exponential average."""

    def __init__(self, n_var, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(n_var))
        self.register_buffer("std", torch.ones(n_var))

    def to_unit(self, field):
        return (field - self.mean) / self.std

    def to_physical(self, unit):
        return unit * self.std + self.mean

    @torch.no_grad()
    def recalibrate(self, field):
        """Blend the statistics of ``field`` (batch, cell, variable) into ours."""
        flat = field.reshape(-1, field.shape[-1])
        self.mean.mul_(1 - self.momentum).add_(flat.mean(0), alpha=self.momentum)
        self.std.mul_(1 - self.momentum).add_(flat.std(0), alpha=self.momentum)  # <- culprit
