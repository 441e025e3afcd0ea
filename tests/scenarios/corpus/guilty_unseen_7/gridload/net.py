import torch
from torch import nn

QUANTILES = (0.1, 0.5, 0.9)


class LoadNet(nn.Module):
    def __init__(self, lookback=96, horizon=24, width=64):
        super().__init__()
        self.conv = nn.Conv1d(2, 16, 7, stride=2, padding=3)
        self.mlp = nn.Sequential(nn.Flatten(), nn.Linear(16 * lookback // 2, width), nn.GELU(),
                                 nn.Linear(width, horizon * len(QUANTILES)))
        self.horizon = horizon

    def forward(self, window):
        y = self.mlp(torch.relu(self.conv(window)))
        return y.view(-1, len(QUANTILES), self.horizon)


def pinball(pred, truth):
    parts = {}
    for j, q in enumerate(QUANTILES):
        e = truth - pred[:, j]
        parts[q] = torch.maximum(q * e, (q - 1) * e).mean()
    return parts
