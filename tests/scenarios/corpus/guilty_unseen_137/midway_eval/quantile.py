import torch
from torch import nn

LEVELS = torch.tensor([0.1, 0.5, 0.9])


def pinball(pred, y):
    e = y.unsqueeze(1) - pred
    return torch.maximum(LEVELS * e, (LEVELS - 1) * e).mean()


class QuantileNet(nn.Module):
    def __init__(self, lag=10):
        super().__init__()
        self.gru = nn.GRU(1, 8, batch_first=True)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        _, h = self.gru(x.unsqueeze(-1))
        return self.out(h[-1])
