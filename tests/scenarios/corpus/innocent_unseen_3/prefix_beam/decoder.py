import math

import torch
from torch import nn


class LowRank(nn.Module):
    """a frozen linear map and a trainable detour of small rank"""

    def __init__(self, lin, rank=4):
        super().__init__()
        self.lin = lin.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, lin.in_features) / math.sqrt(lin.in_features))
        self.up = nn.Parameter(torch.zeros(lin.out_features, rank))

    def forward(self, x):
        return self.lin(x) + (x @ self.down.T) @ self.up.T


class Layer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x, past=None):
        h = self.norm(x)
        q, k, v = self.q(h), self.k(h), self.v(h)
        if past is not None:
            k, v = torch.cat([past[0], k], 1), torch.cat([past[1], v], 1)
        s = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
        back = k.shape[1] - q.shape[1]
        mask = torch.ones_like(s[0], dtype=torch.bool).tril(back)
        x = x + s.masked_fill(~mask, -1e9).softmax(-1) @ v
        return x + self.mlp(x), (k, v)


class Decoder(nn.Module):
    def __init__(self, symbols, d=40, layers=2, longest=40):
        super().__init__()
        self.emb, self.pos = nn.Embedding(symbols, d), nn.Embedding(longest, d)
        self.layers = nn.ModuleList(Layer(d) for _ in range(layers))
        self.head = nn.Linear(d, symbols)

    def forward(self, ids, past=None):
        at = 0 if past is None else past[0][0].shape[1]
        x, now = self.emb(ids) + self.pos.weight[at:at + ids.shape[1]], []
        for i, layer in enumerate(self.layers):
            x, kv = layer(x, past[i] if past else None)
            now.append(kv)
        return self.head(x), now

    def adapt(self, rank):
        self.requires_grad_(False)
        for layer in self.layers:
            layer.q, layer.v = LowRank(layer.q, rank), LowRank(layer.v, rank)
        self.head.requires_grad_(True)
        return [w for w in self.parameters() if w.requires_grad]
