# gradwatch-corpus: kind=none
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F


class KVMemory(NamedTuple):
    recent: torch.Tensor
    compressed: torch.Tensor

    def shift(self, h, n_recent, n_comp, pool):
        joined = torch.cat([self.recent, h], 1)
        overflow = joined[:, :-n_recent]
        comp = self.compressed
        if overflow.shape[1] >= 2:
            comp = torch.cat([comp, pool(overflow)], 1)[:, -n_comp:]
        return KVMemory(joined[:, -n_recent:], comp)

    def frozen(self):
        return KVMemory(*(t.detach() for t in self))


class MemoryLM(nn.Module):
    def __init__(self, vocab=32, d=40, n_recent=16, n_comp=8):
        super().__init__()
        self.n_recent, self.n_comp, self.d = n_recent, n_comp, d
        self.emb = nn.Embedding(vocab, d)
        self.q = nn.Linear(d, d)
        self.kv = nn.Linear(d, 2 * d)
        self.ff = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
        self.out = nn.Linear(d, vocab)

    def pool(self, x):
        return F.avg_pool1d(x.transpose(1, 2), 2).transpose(1, 2)

    def start(self, bs):
        z = torch.zeros(bs, 0, self.d)
        return KVMemory(z, z)

    def forward(self, ids, memory):
        x = self.emb(ids)
        ctx = torch.cat([memory.compressed, memory.recent, x], 1)
        M, T = ctx.shape[1] - x.shape[1], x.shape[1]
        k, v = self.kv(ctx).chunk(2, -1)
        mask = torch.ones(T, M + T, dtype=torch.bool).tril(M)
        h = x + F.scaled_dot_product_attention(self.q(x), k, v, attn_mask=mask)
        h = h + self.ff(h)
        return self.out(h), memory.shift(h, self.n_recent, self.n_comp, self.pool)


def corpus(n, bs=8, seg=16):
    g = torch.Generator().manual_seed(6)
    motif = torch.randint(0, 32, (bs, 23), generator=g)
    stream = motif.repeat(1, (n * seg) // 23 + 2)
    for i in range(n):
        yield stream[:, i * seg:(i + 1) * seg], stream[:, i * seg + 1:(i + 1) * seg + 1]


def train(n=120, bptt=2):
    torch.manual_seed(6)
    model = MemoryLM()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    mem, pending, curve = model.start(8), [], []
    for i, (x, y) in enumerate(corpus(n)):
        logits, mem = model(x, mem)
        pending.append(F.cross_entropy(logits.flatten(0, 1), y.flatten()))
        if len(pending) == bptt:
            loss = torch.stack(pending).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            pending = []
            mem = mem.frozen()
            curve.append(loss.detach())
        if i % 30 == 29:
            print(i + 1, curve[-1].item())
    return torch.stack(curve)


if __name__ == "__main__":
    print(train().min())
