import torch
from torch import nn
import torch.nn.functional as F


class StatsPool(nn.Module):
    def forward(self, x):
        return torch.cat([x.mean(-1), x.std(-1)], 1)


class SpeakerEncoder(nn.Module):
    def __init__(self, mels, dim):
        super().__init__()
        self.tdnn = nn.Sequential(nn.Conv1d(mels, 32, 5, padding=2), nn.ReLU(),
                                  nn.Conv1d(32, 32, 3, padding=2, dilation=2), nn.ReLU())
        self.pool, self.fc = StatsPool(), nn.Linear(64, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.pool(self.tdnn(x.transpose(1, 2)))), dim=1)
