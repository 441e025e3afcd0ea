import copy

import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(3, 16, 5, stride=2, padding=2), nn.ReLU(),
                                  nn.Conv1d(16, dim, 5, stride=2, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1))
        self.proj = nn.Sequential(nn.Linear(dim, 64), nn.LayerNorm(64), nn.ReLU(), nn.Linear(64, 24))

    def forward(self, x):
        return self.proj(self.conv(x).flatten(1))


class TwinModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = Encoder()
        self.target = copy.deepcopy(self.online)
        self.predictor = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 24))

    def learnable(self):
        yield from self.online.parameters()
        yield from self.predictor.parameters()

    def forward(self, a, b):
        p1, p2 = self.predictor(self.online(a)), self.predictor(self.online(b))
        t1, t2 = self.target(a), self.target(b)
        return (2 - F.cosine_similarity(p1, t2) - F.cosine_similarity(p2, t1)).mean()
