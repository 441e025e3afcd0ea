# gradwatch-corpus: kind=inplace-modified
# first-bad: 15
import math
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class RunConfig:
    vocab: int = 40
    length: int = 16
    dim: int = 32
    heads: int = 4
    batch: int = 32
    steps: int = 100
    lr: float = 2e-3
    drop_after: int = 15
    drop_rate: float = 0.15


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.drop_rate = 0.0

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        attn = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(d // self.heads), dim=-1)
        if self.training and self.drop_rate > 0:
            gone = torch.rand(b, 1, 1, n) < self.drop_rate
            attn.masked_fill_(gone, 0.0)  # <- culprit
        return self.proj((attn @ v).transpose(1, 2).reshape(b, n, d))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class Tagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = nn.Embedding(cfg.vocab, cfg.dim)
        self.pos = nn.Parameter(torch.zeros(cfg.length, cfg.dim))
        self.blocks = nn.ModuleList(Block(cfg.dim, cfg.heads) for _ in range(2))
        self.out = nn.Linear(cfg.dim, 2)

    def forward(self, tokens):
        x = self.emb(tokens) + self.pos
        for block in self.blocks:
            x = block(x)
        return self.out(x)


def repeats(cfg):
    """Tag 1 where the token has been seen earlier in its line."""
    tokens = torch.randint(cfg.vocab, (cfg.batch, cfg.length))
    same = tokens[:, :, None] == tokens[:, None, :]
    return tokens, same.tril(-1).any(-1).long()


def set_drop(model, rate):
    for m in model.modules():
        if isinstance(m, SelfAttention):
            m.drop_rate = rate


def main(cfg=RunConfig()):
    torch.manual_seed(12)
    model = Tagger(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)
    for step in range(cfg.steps):
        if step == cfg.drop_after:
            print("attention dropping on")
            set_drop(model, cfg.drop_rate)
        tokens, tags = repeats(cfg)
        loss = F.cross_entropy(model(tokens).flatten(0, 1), tags.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 5 == 0:
            print(f"step {step:3d}  loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
