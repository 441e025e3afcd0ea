# gradwatch-corpus: kind=second-backward
# holder: block.attn._bias | self._bias | model.blocks[0].attn._bias | model.blocks[1].attn._bias
# first-bad: 1
# notice: 0
"""Retention-time regression for peptides with a hand-written attention stack."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(19)

AMINO, LEN = 20, 10


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.rel = nn.Embedding(2 * LEN - 1, dim)
        self.to_head = nn.Linear(dim, heads)
        self._bias = None

    def bias(self, n):
        if self._bias is None or self._bias.shape[-1] != n:
            idx = torch.arange(n)
            dist = idx[:, None] - idx[None, :] + LEN - 1
            self._bias = self.to_head(torch.tanh(self.rel(dist))).permute(2, 0, 1)  # <- culprit
        return self._bias

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-1, -2)) / math.sqrt(d // self.h) + self.bias(n)
        return self.proj((att.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d))


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = Attention(dim, 2)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class RetentionModel(nn.Module):
    def __init__(self, dim=16, depth=2):
        super().__init__()
        self.emb = nn.Embedding(AMINO, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))
        self.head = nn.Linear(dim, 1)

    def forward(self, seq):
        x = self.emb(seq)
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(1)).squeeze(1)


hydro = torch.randn(AMINO)
model = RetentionModel()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for it in range(300):
    seq = torch.randint(0, AMINO, (16, LEN))
    loss = nn.functional.mse_loss(model(seq), hydro[seq].mean(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(it, loss.item())
