import torch
import torch.nn as nn
import torch.nn.functional as F

ENCODERS = {}


def register(name):
    def deco(cls):
        ENCODERS[name] = cls
        return cls

    return deco


@register("image")
class ImageEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(48, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return F.normalize(self.body(x), dim=-1)


@register("prompt")
class PromptEncoder(nn.Module):
    """Bag of words over a class description, memoised by class name."""

    def __init__(self, dim, vocab=64):
        super().__init__()
        self.tok = nn.Embedding(vocab, 32)
        self.proj = nn.Linear(32, dim)
        self._memo = {}

    def tokenize(self, name):
        return torch.tensor([ord(c) % 64 for c in name])

    def encode(self, name):
        if name not in self._memo:
            vec = torch.tanh(self.tok(self.tokenize(name)).mean(0))
            self._memo[name] = F.normalize(self.proj(vec), dim=-1)  # <- culprit
        return self._memo[name]  # <- culprit

    def forward(self, names):
        return torch.stack([self.encode(n) for n in names])
