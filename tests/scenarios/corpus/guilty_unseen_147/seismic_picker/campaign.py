import torch
from torch import nn
from torch.nn import functional as F

from accumulate import LossWindow


class Picker(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, ch, 7, padding=3), nn.ReLU(), nn.Conv1d(ch, ch, 5, padding=2), nn.ReLU(), nn.Conv1d(ch, 1, 1)
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


class Campaign:
    def __init__(self, waves, micro, window):
        self.waves, self.micro = waves, micro
        self.picker = Picker()
        self.window = LossWindow(torch.optim.Adam(self.picker.parameters(), lr=3e-3), window)

    def run(self, epochs):
        for _ in range(epochs):
            for trace, pick in self.waves.micro_batches(self.micro):
                self.window.push(F.cross_entropy(self.picker(trace), pick))
            self.window.close_epoch()
