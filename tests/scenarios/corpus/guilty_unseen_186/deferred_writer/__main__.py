# gradwatch-corpus: kind=graph-held
# holder: self._pending | writer._pending
# first-bad: 1
"""Siamese metric learning with a summary writer that evaluates lazily."""
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

if __package__:
    from .tb import SummaryWriter
else:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from tb import SummaryWriter


class Embedder(nn.Module):
    def __init__(self, dim=20, out=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 48), nn.LayerNorm(48), nn.ReLU(), nn.Linear(48, out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class Triplets:
    def __init__(self, classes=6, dim=20, seed=9):
        self.g = torch.Generator().manual_seed(seed)
        self.centers = torch.randn(classes, dim, generator=self.g)

    def _draw(self, c):
        return self.centers[c] + 0.7 * torch.randn(len(c), self.centers.shape[1], generator=self.g)

    def __iter__(self):
        while True:
            c = torch.randint(0, len(self.centers), (24,), generator=self.g)
            shift = torch.randint(1, len(self.centers), (24,), generator=self.g)
            yield self._draw(c), self._draw(c), self._draw((c + shift) % len(self.centers))


def margins(model, anchor, pos, neg):
    a, p, n = model(anchor), model(pos), model(neg)
    return (a - p).pow(2).sum(-1), (a - n).pow(2).sum(-1)


def log_step(writer, step, loss, d_pos, d_neg):
    writer.add_scalar("train/loss", loss.item(), step)
    writer.add_lazy("train/gap", lambda: (d_neg - d_pos).mean().item(), step)  # <- culprit


def run(steps=450, margin=0.4):
    torch.manual_seed(1)
    model = Embedder()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    writer = SummaryWriter()
    for step, (a, p, n) in zip(range(steps), Triplets()):
        d_pos, d_neg = margins(model, a, p, n)
        loss = F.relu(d_pos - d_neg + margin).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        log_step(writer, step, loss, d_pos, d_neg)
        if step % 90 == 0:
            print(step, round(loss.item(), 4), f"lr={sched.get_last_lr()[0]:.2e}", flush=True)
    writer.close()
    print(writer.tail("train/gap"))


if __name__ == "__main__":
    run()
