# gradwatch-corpus: kind=inplace-modified
# holder: self.k | self.v | cache.k | cache.v
# first-bad: 0
"""Sequence-level fine-tuning of a small decoder: teacher-forced incremental decoding with a preallocated KV cache."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CTX, VOCAB = 10, 24


class KVCache:
    def __init__(self, batch, heads, ctx, hd):
        self.k = torch.zeros(batch, heads, ctx, hd)
        self.v = torch.zeros(batch, heads, ctx, hd)
        self.length = 0

    def append(self, k, v):
        self.k[:, :, self.length] = k  # <- culprit
        self.v[:, :, self.length] = v  # <- culprit
        self.length += 1
        return self.k[:, :, : self.length], self.v[:, :, : self.length]  # <- culprit


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)

    def forward(self, x, cache):
        B, D = x.shape
        q, k, v = self.qkv(x).view(B, 3, self.h, D // self.h).unbind(1)
        keys, values = cache.append(k, v)
        att = torch.einsum("bhd,bhtd->bht", q, keys) / (D // self.h) ** 0.5
        y = torch.einsum("bht,bhtd->bhd", att.softmax(-1), values)
        return self.o(y.reshape(B, D))


class Layer(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = Attention(d, heads)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.SiLU(), nn.Linear(2 * d, d))

    def forward(self, x, cache):
        x = x + self.att(self.n1(x), cache)
        return x + self.ff(self.n2(x))


class Decoder(nn.Module):
    def __init__(self, d=32, heads=4, depth=2):
        super().__init__()
        self.heads, self.hd = heads, d // heads
        self.tok = nn.Embedding(VOCAB, d)
        self.pos = nn.Embedding(CTX, d)
        self.layers = nn.ModuleList(Layer(d, heads) for _ in range(depth))
        self.out = nn.Linear(d, VOCAB)

    def new_caches(self, batch):
        return [KVCache(batch, self.heads, CTX, self.hd) for _ in self.layers]

    def step(self, ids, t, caches):
        x = self.tok(ids) + self.pos.weight[t]
        for layer, cache in zip(self.layers, caches):
            x = layer(x, cache)
        return self.out(x)


def sequence_scores(model, ids):
    caches = model.new_caches(len(ids))
    logps = []
    for t in range(ids.shape[1] - 1):
        logits = model.step(ids[:, t], t, caches)
        logps.append(-F.cross_entropy(logits, ids[:, t + 1], reduction="none"))
    return torch.stack(logps, 1)


def sample_targets(n, g):
    start = torch.randint(0, VOCAB, (n, 1), generator=g)
    ids = (start + 2 * torch.arange(CTX)) % VOCAB
    noise = torch.rand(n, CTX, generator=g) < 0.1
    return torch.where(noise, torch.randint(0, VOCAB, (n, CTX), generator=g), ids), 1.0 - noise.float().mean(1)


def main():
    torch.manual_seed(6)
    g = torch.Generator().manual_seed(9)
    model = Decoder()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    rows = []
    for step in range(80):
        ids, quality = sample_targets(16, g)
        logp = sequence_scores(model, ids)
        loss = -(quality[:, None] * logp).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        rows.append({"step": step, "loss": loss.item()})
        if step % 20 == 0:
            print(rows[-1])


if __name__ == "__main__":
    main()
