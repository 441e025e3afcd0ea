import torch
import torch.nn as nn

from memory import StationMemory


class TripModel(nn.Module):
    def __init__(self, n, dim, n_feat):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.memory = StationMemory(n, dim, dim + n_feat)
        self.head = nn.Sequential(
            nn.Linear(4 * dim + n_feat, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, src, dst, feat):
        msg = torch.cat([self.emb(dst), feat], 1)
        h_src = self.memory.write(src, msg)
        h_dst = self.memory.read(dst)
        z = torch.cat([h_src, h_dst, self.emb(src), self.emb(dst), feat], 1)
        return self.head(z).squeeze(1)
