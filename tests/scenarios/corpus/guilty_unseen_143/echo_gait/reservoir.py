import torch
from torch import nn


class Reservoir(nn.Module):
    def __init__(self, n_in, n, radius=0.85, leak=0.4):
        super().__init__()
        w = torch.randn(n, n)
        w = w * (radius / torch.linalg.eigvals(w).abs().max())
        self.register_buffer("w", w)
        self.leak = leak
        self.inp = nn.Linear(n_in, n)
        self.readout = nn.Linear(n, 2)
        self.x = torch.zeros(n)

    def forward(self, u):
        drive = self.inp(u) + self.w @ self.x
        self.x = (1 - self.leak) * self.x + self.leak * torch.tanh(drive)  # <- culprit
        return self.readout(self.x)
