# gradwatch-corpus: kind=none
"""Sinusoidal tables are cached per length: the cache fills up in the first iterations and stays."""
import functools
import math

import torch
from torch import nn


@functools.lru_cache(maxsize=None)
def table(n, d):
    pos = torch.arange(n).unsqueeze(1)
    div = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2], pe[:, 1::2] = torch.sin(pos * div), torch.cos(pos * div)
    return pe


@functools.lru_cache(maxsize=None)
def causal_mask(n):
    return torch.triu(torch.full((n, n), float("-inf")), 1)


class Decoder(nn.Module):
    def __init__(self, v=50, d=32):
        super().__init__()
        self.d = d
        self.emb = nn.Embedding(v, d)
        self.layer = nn.TransformerEncoderLayer(d, 4, 64, 0.1, batch_first=True)
        self.out = nn.Linear(d, v)

    def forward(self, ids):
        n = ids.size(1)
        return self.out(self.layer(self.emb(ids) + table(n, self.d), src_mask=causal_mask(n)))


torch.manual_seed(0)
m = Decoder()
opt = torch.optim.Adam(m.parameters(), 1e-3)
for step in range(220):
    n = int(torch.randint(8, 28, ()))
    ids = (torch.arange(n + 1) * 3 + torch.randint(50, (12, 1))) % 50
    loss = nn.functional.cross_entropy(m(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if step % 55 == 0:
        print(step, loss.item(), table.cache_info().currsize)
