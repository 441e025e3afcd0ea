# gradwatch-corpus: kind=memory-climb
# holder: self.maps | b.attn.maps | self.blocks[layer].attn.maps
"""Small transformer classifier on long sequences, attention maps kept for the paper's figure."""
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(55)


class SelfAttention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.out = nn.Linear(d, d)
        self.maps = []

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).reshape(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(-1)
        self.maps.append(att.detach().clone())  # <- culprit
        return self.out((att @ v).transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = SelfAttention(d, heads)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class Classifier(nn.Module):
    def __init__(self, vocab, d=32, heads=4, t=64):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(0.02 * torch.randn(t, d))
        self.blocks = nn.ModuleList(Block(d, heads) for _ in range(2))
        self.head = nn.Linear(d, 2)

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        for b in self.blocks:
            x = b(x)
        return self.head(x.mean(1))

    def figure(self, layer, example):
        m = self.blocks[layer].attn.maps[-1][example].mean(0)
        return [[round(v, 2) for v in row[:6].tolist()] for row in m[:3]]


def batch(n, t=64, vocab=30):
    ids = torch.randint(1, vocab, (n, t))
    y = torch.randint(0, 2, (n,))
    pos = torch.randint(0, t - 1, (n,))
    rows = torch.arange(n)
    ids[rows, pos] = 0
    ids[rows, pos + 1] = torch.where(y == 1, 5, 6)
    return ids, y


def main():
    model = Classifier(30)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(110):
        ids, y = batch(8)
        loss = F.cross_entropy(model(ids), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step} loss {loss.item():.4f}")
    print(model.figure(1, 0))


if __name__ == "__main__":
    main()
