import torch
from torch import nn


class TabNet(nn.Module):
    def __init__(self, n_num, cards, emb=4, width=32):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(c, emb) for c in cards)
        self.norm = nn.BatchNorm1d(n_num)
        self.mlp = nn.Sequential(
            nn.Linear(n_num + emb * len(cards), width), nn.GELU(), nn.Dropout(0.1),
            nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, num, cat):
        parts = [self.norm(num)] + [e(cat[:, j]) for j, e in enumerate(self.embs)]
        return self.mlp(torch.cat(parts, 1)).squeeze(1)
