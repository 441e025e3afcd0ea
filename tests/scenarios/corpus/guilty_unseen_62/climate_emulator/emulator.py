"""A one-step emulator of a column model on a latitude ring."""
import torch
from torch import nn

from scaling import FieldScaler


class RingMix(nn.Module):
    """Each cell sees itself and its two neighbours."""

    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(3 * n_in, n_out)

    def forward(self, h):
        around = torch.cat([h, h.roll(1, dims=1), h.roll(-1, dims=1)], dim=-1)
        return self.lin(around)


class Emulator(nn.Module):
    """Predict the tendency in physical units over one step."""

    def __init__(self, n_var=3, width=24):
        super().__init__()
        self.scaler = FieldScaler(n_var)
        self.enter = RingMix(n_var, width)
        self.leave = RingMix(width, n_var)

    def forward(self, field):
        unit = self.scaler.to_unit(field)
        delta = self.leave(torch.tanh(self.enter(unit)))
        return self.scaler.to_physical(unit + 0.1 * delta)
