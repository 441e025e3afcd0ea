import torch
import torch.nn as nn
import torch.nn.functional as F


class ImageTower(nn.Module):
    def __init__(self, dim, out=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class TextTower(nn.Module):
    def __init__(self, vocab, width=32, out=24):
        super().__init__()
        self.tok = nn.Embedding(vocab, width)
        self.pos = nn.Parameter(0.01 * torch.randn(1, 6, width))
        self.attn = nn.MultiheadAttention(width, 2, batch_first=True)
        self.proj = nn.Linear(width, out)

    def forward(self, ids):
        h = self.tok(ids) + self.pos
        h = h + self.attn(h, h, h, need_weights=False)[0]
        return F.normalize(self.proj(h.mean(1)), dim=-1)
