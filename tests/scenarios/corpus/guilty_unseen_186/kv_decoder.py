# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Train a decoder step by step through a preallocated KV cache (scheduled sampling)."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class DecoderConfig:
    vocab: int = 17
    dim: int = 24
    heads: int = 2
    length: int = 8
    batch: int = 8
    steps: int = 450
    sampling: float = 0.2


class KVCache:
    def __init__(self, batch, heads, length, head_dim):
        self.k = torch.zeros(batch, heads, length, head_dim)
        self.v = torch.zeros(batch, heads, length, head_dim)
        self.pos = 0

    def update(self, k, v):
        self.k[:, :, self.pos] = k  # <- culprit
        self.v[:, :, self.pos] = v  # <- culprit
        self.pos += 1
        return self.k[:, :, : self.pos], self.v[:, :, : self.pos]


class CachedAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.h, self.d = cfg.heads, cfg.dim // cfg.heads
        self.qkv = nn.Linear(cfg.dim, 3 * cfg.dim)
        self.proj = nn.Linear(cfg.dim, cfg.dim)

    def forward(self, x, cache):
        q, k, v = self.qkv(x).view(x.shape[0], 3, self.h, self.d).unbind(1)
        keys, values = cache.update(k, v)
        att = torch.einsum("bhd,bhtd->bht", q, keys) / self.d ** 0.5
        out = torch.einsum("bht,bhtd->bhd", att.softmax(-1), values)
        return self.proj(out.flatten(1))


class Decoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.tok = nn.Embedding(cfg.vocab, cfg.dim)
        self.pos = nn.Embedding(cfg.length, cfg.dim)
        self.ln1, self.ln2 = nn.LayerNorm(cfg.dim), nn.LayerNorm(cfg.dim)
        self.att = CachedAttention(cfg)
        self.mlp = nn.Sequential(nn.Linear(cfg.dim, 48), nn.GELU(), nn.Linear(48, cfg.dim))
        self.lm_head = nn.Linear(cfg.dim, cfg.vocab)

    def new_cache(self, batch):
        return KVCache(batch, self.att.h, self.cfg.length, self.att.d)

    def step(self, token, t, cache):
        x = self.tok(token) + self.pos.weight[t]
        x = x + self.att(self.ln1(x), cache)
        x = x + self.mlp(self.ln2(x))
        return self.lm_head(x)


def sequences(cfg, seed=2):
    g = torch.Generator().manual_seed(seed)
    while True:
        start = torch.randint(0, cfg.vocab, (cfg.batch, 1), generator=g)
        stride = torch.randint(1, 4, (cfg.batch, 1), generator=g)
        yield (start + stride * torch.arange(cfg.length + 1)) % cfg.vocab


def rollout_loss(model, seq, sampling):
    cache = model.new_cache(seq.shape[0])
    token, losses = seq[:, 0], []
    for t in range(seq.shape[1] - 1):
        logits = model.step(token, t, cache)
        losses.append(F.cross_entropy(logits, seq[:, t + 1]))
        mix = torch.rand(seq.shape[0]) < sampling
        token = torch.where(mix, logits.argmax(-1), seq[:, t + 1])
    return torch.stack(losses).mean()


def main():
    torch.manual_seed(0)
    cfg = DecoderConfig()
    model = Decoder(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step, seq in zip(range(cfg.steps), sequences(cfg)):
        loss = rollout_loss(model, seq, cfg.sampling)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(step, round(loss.item(), 4), flush=True)


if __name__ == "__main__":
    main()
