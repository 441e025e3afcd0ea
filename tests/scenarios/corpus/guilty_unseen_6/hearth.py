# gradwatch-corpus: kind=graph-held
# holder: atlas[doc] | atlas
# first-bad: 1
"""Adapter finetuning of a tiny decoder on recipe sentences, with training dynamics per document
(mean and spread of its loss over the epochs) to pick easy, hard and ambiguous ones."""
import math
import queue
import threading
from collections import defaultdict
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

cfg = SimpleNamespace(vocab=64, width=32, heads=2, depth=2, length=20, rank=4, docs=256, rows=8, epochs=6, lr=3e-3)
torch.manual_seed(1312)


class Adapted(nn.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x):
        return self.base(x) + x @ self.down.t() @ self.up.t()


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(c.width), nn.LayerNorm(c.width)
        self.qkv = Adapted(nn.Linear(c.width, 3 * c.width), c.rank)
        self.out = Adapted(nn.Linear(c.width, c.width), c.rank)
        self.ff = nn.Sequential(nn.Linear(c.width, 2 * c.width), nn.GELU(), nn.Linear(2 * c.width, c.width))
        self.heads = c.heads

    def forward(self, x):
        b, t, w = x.shape
        q, k, v = (z.view(b, t, self.heads, -1).transpose(1, 2) for z in self.qkv(self.n1(x)).chunk(3, -1))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(b, t, w))
        return x + self.ff(self.n2(x))


class Decoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok, self.pos = nn.Embedding(c.vocab, c.width), nn.Embedding(c.length, c.width)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.depth))
        self.norm = nn.LayerNorm(c.width)
        for name, p in self.named_parameters():
            p.requires_grad_(name.endswith((".down", ".up")) or name.startswith("norm."))

    def forward(self, ids):
        x = self.tok(ids) + self.pos.weight[: ids.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.tok.weight.t()


def write_cookbook(c):
    step = torch.randint(1, 7, (c.docs, 1))
    start = torch.randint(c.vocab, (c.docs, 1))
    ids = (start + step * torch.arange(c.length + 1)) % c.vocab
    noisy = torch.rand(c.docs, 1) < 0.2
    return torch.where(noisy, torch.randint_like(ids, c.vocab), ids)


def kitchen(book, c, out):
    g = torch.Generator().manual_seed(4)
    for epoch in range(c.epochs):
        for part in torch.randperm(len(book), generator=g).split(c.rows):
            out.put((epoch, part.tolist(), book[part]))
    out.put(None)


def main():
    book, net = write_cookbook(cfg), Decoder(cfg)
    opt = torch.optim.AdamW((p for p in net.parameters() if p.requires_grad), lr=cfg.lr)
    served = queue.Queue(maxsize=4)
    cook = threading.Thread(target=kitchen, args=(book, cfg, served), daemon=True)
    cook.start()

    atlas = defaultdict(list)
    count = 0
    for epoch, docs, ids in iter(served.get, None):
        scores = net(ids[:, :-1])
        nll = F.cross_entropy(scores.transpose(1, 2), ids[:, 1:], reduction="none").mean(1)
        opt.zero_grad()
        nll.mean().backward()
        opt.step()
        for doc, value in zip(docs, nll):
            atlas[doc].append(value)  # <- culprit
        if count % 48 == 0:
            print(f"epoch {epoch} batch {count}: nll {nll.mean().item():.3f}")
        count += 1
    cook.join()

    level = torch.tensor([torch.stack(atlas[d]).mean().item() for d in range(cfg.docs)])
    spread = torch.tensor([torch.stack(atlas[d]).std().item() for d in range(cfg.docs)])
    print("hardest documents:", level.topk(5).indices.tolist())
    print("most ambiguous:", spread.topk(5).indices.tolist())


if __name__ == "__main__":
    main()
