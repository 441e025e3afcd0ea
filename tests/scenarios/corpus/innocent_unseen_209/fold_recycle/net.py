import torch
from torch import nn


class ContactNet(nn.Module):
    def __init__(self, letters: int, d: int) -> None:
        super().__init__()
        self.left, self.right = nn.Embedding(letters, d), nn.Embedding(letters, d)
        self.back = nn.Linear(d, d)
        self.mix = nn.Sequential(nn.Conv2d(d, d, 3, padding=1), nn.ELU(), nn.Conv2d(d, d, 3, padding=1))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, 1)

    def forward(self, seq, prev=None):
        pair = self.left(seq)[:, :, None] + self.right(seq)[:, None]
        if prev is not None:
            pair = pair + self.back(self.norm(prev))
        pair = pair + self.mix(pair.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)
        logit = self.head(pair).squeeze(-1)
        return pair, 0.5 * (logit + logit.transpose(1, 2))
