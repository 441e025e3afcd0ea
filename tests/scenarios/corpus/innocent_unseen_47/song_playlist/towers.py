import torch.nn.functional as F
from torch import nn


class SongTower(nn.Module):
    def __init__(self, n_features, dim=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_features, 48), nn.ReLU(inplace=True), nn.Linear(48, dim))

    def forward(self, feats):
        return F.normalize(self.net(feats), dim=-1)


class SessionTower(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.proj = nn.Linear(dim, dim)

    def forward(self, played):
        _, last = self.rnn(played)
        return F.normalize(self.proj(last[0]), dim=-1)
