# gradwatch-corpus: kind=graph-chain
# holder: self.kv | self.kv["attn"]["k"] | self.kv["attn"]["v"] | self.kv[name]["k"] | self.kv[name]["v"] | slot | slot["k"] | slot["v"] | model.kv | model.kv["attn"]["k"] | model.kv["attn"]["v"] | self.model.kv | self.model.kv["attn"] | self.model.kv["attn"]["k"] | self.model.kv["attn"]["v"] | trainer.model.kv | trainer.model.kv["attn"] | trainer.model.kv["attn"]["k"] | trainer.model.kv["attn"]["v"] | self.kv["attn"]
# first-bad: 1
"""Segment-level recurrent attention over frozen token embeddings (char LM toy)."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    vocab: int = 31
    dim: int = 32
    seg_len: int = 12
    batch: int = 4
    segments: int = 80
    lr: float = 2e-3
    max_ctx: int = 4096
    retain: bool = True


class KVCacheMixin:
    """Keys and values of the segments read so far, one slot per attention block."""

    def init_cache(self):
        self.kv = {}

    def extend(self, name, k, v):
        slot = self.kv.setdefault(name, {"k": None, "v": None})
        for part, fresh in (("k", k), ("v", v)):
            old = slot[part]
            joined = fresh if old is None else torch.cat([old, fresh], dim=1)  # <- culprit
            slot[part] = joined[:, -self.max_ctx:]  # <- culprit
        return slot["k"], slot["v"]


class SegmentAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q = nn.Linear(dim, dim, bias=False)
        self.k = nn.Linear(dim, dim, bias=False)
        self.v = nn.Linear(dim, dim, bias=False)

    def forward(self, x, extend):
        keys, values = extend("attn", self.k(x), self.v(x))  # <- culprit
        q = self.q(x)
        n, ctx = x.size(1), keys.size(1)
        scores = q @ keys.transpose(1, 2) / math.sqrt(x.size(-1))
        future = torch.ones(n, ctx).triu(ctx - n + 1).bool()
        return scores.masked_fill(future, float("-inf")).softmax(-1) @ values


class RecurrentLM(KVCacheMixin, nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.max_ctx = cfg.max_ctx
        self.emb = nn.Embedding(cfg.vocab, cfg.dim)
        self.emb.weight.requires_grad_(False)
        self.attn = SegmentAttention(cfg.dim)
        self.mlp = nn.Sequential(nn.Linear(2 * cfg.dim, 64), nn.GELU(), nn.Linear(64, cfg.vocab))
        self.init_cache()

    def forward(self, tokens):
        x = self.emb(tokens)
        ctx = self.attn(x, self.extend)
        return self.mlp(torch.cat([x, ctx], -1))


def stream(cfg):
    g = torch.Generator().manual_seed(7)
    base = torch.randint(0, cfg.vocab, (cfg.batch, 97), generator=g)
    text = base.repeat(1, 12)
    for i in range(cfg.segments):
        lo = i * cfg.seg_len
        chunk = text[:, lo:lo + cfg.seg_len + 1]
        yield chunk[:, :-1], chunk[:, 1:]


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = RecurrentLM(cfg)
        params = [p for p in self.model.parameters() if p.requires_grad]
        self.opt = torch.optim.AdamW(params, lr=cfg.lr)

    def segment_step(self, x, y):
        logits = self.model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        self.opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=self.cfg.retain)  # <- culprit
        self.opt.step()
        return loss.item()

    def fit(self):
        ema = None
        for i, (x, y) in enumerate(stream(self.cfg)):
            value = self.segment_step(x, y)
            ema = value if ema is None else 0.9 * ema + 0.1 * value
            if i % 20 == 0:
                print(f"segment {i:3d}  loss {value:.3f}  ema {ema:.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer(Config())
    trainer.fit()
