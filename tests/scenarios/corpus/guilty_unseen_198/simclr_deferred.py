# gradwatch-corpus: kind=graph-held
# holder: pending | self.pending | writer.pending
# first-bad: 1
"""SimCLR on toy signals. Scalars are written lazily so that the loop never waits on disk."""
import os
import tempfile
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Cfg:
    steps: int = 430
    batch: int = 24
    dim: int = 48
    tau: float = 0.2
    lr: float = 1e-3
    seed: int = 8


class LazyWriter:
    def __init__(self, path):
        self.path = path
        self.pending = []

    def defer(self, fn):
        self.pending.append(fn)

    def flush(self):
        with open(self.path, "a") as fh:
            for fn in self.pending:
                fh.write(fn() + "\n")
        n = len(self.pending)
        self.pending.clear()
        return n


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.head = nn.Linear(32, 16)

    def forward(self, x):
        return F.normalize(self.head(self.backbone(x)), dim=-1)


def views(x):
    def one():
        shift = int(torch.randint(-3, 4, (1,)))
        return torch.roll(x, shift, -1) * (0.8 + 0.4 * torch.rand(len(x), 1)) + 0.1 * torch.randn_like(x)

    return one(), one()


def nt_xent(z1, z2, tau):
    z = torch.cat([z1, z2])
    sim = z @ z.T / tau
    sim = sim - 1e9 * torch.eye(len(z))
    n = len(z1)
    target = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, target), sim


def signals(cfg):
    t = torch.linspace(0, 6.28, cfg.dim)
    f = torch.randint(1, 6, (cfg.batch, 1)).float()
    ph = 6.28 * torch.rand(cfg.batch, 1)
    return torch.sin(f * t + ph)


def train(cfg, path):
    torch.manual_seed(cfg.seed)
    enc = Encoder(cfg.dim)
    opt = torch.optim.SGD(enc.parameters(), lr=cfg.lr * 20, momentum=0.9)
    writer = LazyWriter(path)
    for step in range(cfg.steps):
        a, b = views(signals(cfg))
        z1, z2 = enc(a), enc(b)
        loss, sim = nt_xent(z1, z2, cfg.tau)
        opt.zero_grad()
        loss.backward()
        opt.step()
        align = (z1.detach() - z2.detach()).pow(2).sum(-1).mean().item()
        writer.defer(lambda s=step, l=loss, al=align: f"{s}\t{l.item():.5f}\t{al:.5f}")  # <- culprit
        if step % 100 == 0:
            print(f"{step} align {align:.3f}")
    print("wrote", writer.flush())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as d:
        train(Cfg(), os.path.join(d, "scalars.tsv"))
