import torch.nn.functional as F
from torch import nn

from registry import register


@register("loss", "scaled_huber")
class ScaledHuber(nn.Module):
    """Huber loss in units of each depot's usual volume."""

    def __init__(self, delta, floor=0.5):
        super().__init__()
        self.delta, self.floor = delta, floor

    def forward(self, forecast, volume):
        unit = volume.abs().clamp(min=self.floor)
        return F.huber_loss(forecast / unit, volume / unit, delta=self.delta)
