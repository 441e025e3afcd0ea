from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from relative import RelativeBias


class BiasedAttention(nn.Module):
    def __init__(self, dim: int, heads: int, bias: RelativeBias) -> None:
        super().__init__()
        self.heads, self.bias = heads, bias
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x: Tensor) -> Tensor:
        b, n, d = x.shape
        q, k, v = self.qkv(self.norm(x)).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + self.bias(n, n)
        out = (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d)
        return x + self.proj(out)


class LogTagger(nn.Module):
    def __init__(self, vocab: int, dim: int, heads: int, max_distance: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocab, dim)
        self.bias = RelativeBias(heads, max_distance)
        self.blocks = nn.ModuleList(BiasedAttention(dim, heads, self.bias) for _ in range(2))
        self.head = nn.Linear(dim, 1)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.tokens(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x).squeeze(-1)

    def on_weights_changed(self) -> None:
        for module in self.modules():
            if isinstance(module, RelativeBias):
                module.weights_changed()
