# gradwatch-corpus: kind=none
from functools import partial

import torch

torch.set_num_threads(1)
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(55)
CFG = {"depth": 4, "dim": 10, "tokens": 36, "steps": 500, "lr": 3e-3, "recompute": {"blocks": [0, 1, 2]}}


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.n = nn.LayerNorm(dim)
        self.mix = nn.Linear(7, 7)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.mix(self.n(x).transpose(1, 2)).transpose(1, 2)
        return x + self.ff(x)


class ClauseNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.emb = nn.Embedding(cfg["tokens"], cfg["dim"])
        self.blocks = nn.ModuleList(Block(cfg["dim"]) for _ in range(cfg["depth"]))
        self.cls = nn.Linear(cfg["dim"], 3)
        self.recompute = set(cfg["recompute"]["blocks"])

    def forward(self, t):
        x = self.emb(t)
        for i, blk in enumerate(self.blocks):
            run = partial(checkpoint, blk, use_reentrant=False) if i in self.recompute else blk
            x = run(x)
        return self.cls(x.mean(1))


net = ClauseNet(CFG)
opt = torch.optim.AdamW(net.parameters(), CFG["lr"])
ema = None
for step in range(CFG["steps"]):
    t = torch.randint(0, CFG["tokens"], (8, 7))
    y = (t.max(1).values // 12).clamp(max=2)
    loss = nn.functional.cross_entropy(net(t), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema = loss.detach() if ema is None else 0.95 * ema + 0.05 * loss.detach()
print("ema", ema.item())
