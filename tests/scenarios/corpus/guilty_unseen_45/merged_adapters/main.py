# gradwatch-corpus: kind=second-backward
# holder: self._delta | layer._delta | model.down._delta | model.up._delta
# first-bad: 1
"""Adapter tuning of a small frozen text classifier."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from adapters import inject_lora, trainable


@dataclass
class TuneConfig:
    vocab: int = 120
    width: int = 48
    length: int = 20
    classes: int = 4
    rank: int = 4
    batch: int = 32
    steps: int = 120
    lr: float = 3e-3
    seed: int = 11


class TextClassifier(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab, cfg.width)
        self.pos = nn.Parameter(torch.randn(cfg.length, cfg.width) * 0.02)
        self.up = nn.Linear(cfg.width, 2 * cfg.width)
        self.down = nn.Linear(2 * cfg.width, cfg.width)
        self.norm = nn.LayerNorm(cfg.width)
        self.cls = nn.Linear(cfg.width, cfg.classes)

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        x = x + self.down(F.gelu(self.up(x)))
        return self.cls(self.norm(x).mean(1))


def synthetic_corpus(cfg, n=640):
    g = torch.Generator().manual_seed(cfg.seed)
    y = torch.randint(cfg.classes, (n,), generator=g)
    ids = torch.randint(cfg.vocab, (n, cfg.length), generator=g)
    topical = (torch.rand(n, cfg.length, generator=g) < 0.3)
    ids = torch.where(topical, y[:, None] * 7 + ids % 7, ids)
    return ids, y


def batches(ids, y, size):
    while True:
        order = torch.randperm(len(y))
        for s in range(0, len(y) - size + 1, size):
            pick = order[s:s + size]
            yield ids[pick], y[pick]


def main():
    cfg = TuneConfig()
    torch.manual_seed(cfg.seed)
    model = TextClassifier(cfg)
    model.requires_grad_(False)
    inject_lora(model, ("up", "down"), rank=cfg.rank)
    model.cls.requires_grad_(True)

    params = trainable(model)
    print(f"trainable: {sum(p.numel() for p in params)}")
    opt = torch.optim.AdamW(params, lr=cfg.lr)
    ids, y = synthetic_corpus(cfg)
    stream = batches(ids, y, cfg.batch)

    for step in range(cfg.steps):
        xb, yb = next(stream)
        loss = F.cross_entropy(model(xb), yb)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step:4d} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
