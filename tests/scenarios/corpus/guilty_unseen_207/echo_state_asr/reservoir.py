import torch
from torch import nn


class Reservoir(nn.Module):
    """Fixed random recurrence driven by a trainable input projection."""

    def __init__(self, bands, units, radius=0.8, leak=0.4):
        super().__init__()
        w = torch.randn(units, units)
        w *= radius / torch.linalg.eigvals(w).abs().max()
        self.register_buffer("recurrent", w)
        self.drive = nn.Linear(bands, units)
        self.leak = leak
        self.state = None

    def forward(self, frame):
        if self.state is None:
            self.state = frame.new_zeros(len(frame), self.recurrent.shape[0])
        pre = self.state @ self.recurrent + self.drive(frame)
        self.state = (1 - self.leak) * self.state + self.leak * torch.tanh(pre)  # <- culprit
        return self.state


class EchoTagger(nn.Module):
    def __init__(self, bands, units, tags):
        super().__init__()
        self.reservoir = Reservoir(bands, units)
        self.readout = nn.Linear(units, tags)

    def forward(self, frame):
        return self.readout(self.reservoir(frame))
