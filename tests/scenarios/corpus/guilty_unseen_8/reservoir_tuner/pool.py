import torch
from torch import nn


class EchoPool(nn.Module):
    """Fixed random reservoir with three trainable scalars."""

    def __init__(self, units):
        super().__init__()
        w = torch.randn(units, units) * (torch.rand(units, units) < 0.2)
        w = w / torch.linalg.eigvals(w).abs().max()
        self.register_buffer("w", w)
        self.register_buffer("w_in", torch.rand(units) * 2 - 1)
        self.raw_decay = nn.Parameter(torch.tensor(0.0))
        self.log_gain = nn.Parameter(torch.tensor(-0.5))
        self.log_radius = nn.Parameter(torch.tensor(-0.2))
        self.x = torch.zeros(units)

    def drive(self, u):
        a = torch.sigmoid(self.raw_decay)
        drive = torch.exp(self.log_gain) * u[:, None] * self.w_in
        radius = torch.exp(self.log_radius)
        x, rows = self.x, []
        for row in drive.unbind(0):
            x = torch.lerp(x, torch.tanh(radius * (self.w @ x) + row), a)
            rows.append(x)
        self.x = x  # <- culprit
        return torch.stack(rows)

    @torch.no_grad()
    def describe(self):
        return torch.sigmoid(self.raw_decay).item(), self.log_gain.exp().item(), self.log_radius.exp().item()
