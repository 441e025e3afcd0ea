import torch
from torch import nn


class KilnModel(nn.Module):
    def __init__(self, width=14):
        super().__init__()
        self.rnn = nn.GRU(2, width, batch_first=True)
        self.read = nn.Linear(width, 1)

    def forward(self, curve):
        _, h = self.rnn(curve)
        return self.read(h[-1]).squeeze(-1)


def firings(count, batch=8, length=12):
    for _ in range(count):
        ramp = torch.rand(batch, 1) * torch.linspace(0, 1, length)
        humid = 0.3 * torch.rand(batch, length)
        shrink = 0.6 * ramp[:, -1] - 0.4 * humid.mean(1)
        yield torch.stack([ramp, humid], -1), shrink
