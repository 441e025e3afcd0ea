"""Base features, computed at a document's first visit."""
import torch
from torch import nn


class BaseFeatures(nn.Module):
    def __init__(self, raw, dim):
        super().__init__()
        self.raw, self.cache = raw, {}
        self.base = nn.Sequential(nn.Linear(raw.size(1), 64), nn.GELU(), nn.Linear(64, dim), nn.LayerNorm(dim))

    def forward(self, ids):
        missing = [i for i in ids.tolist() if i not in self.cache]
        if missing:
            with torch.no_grad():
                self.cache.update(zip(missing, self.base(self.raw[missing]).unbind(0)))
        return torch.stack([self.cache[i] for i in ids.tolist()])
