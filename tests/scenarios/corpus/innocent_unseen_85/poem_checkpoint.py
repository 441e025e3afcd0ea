# gradwatch-corpus: kind=none
"""Metre of verse lines with a checkpointed encoder; broken lines are skipped."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(1590)

SYLLABLES, METRES, DIM, STEPS, WARMUP = 12, 4, 16, 420, 180


class BrokenLine(ValueError):
    def __init__(self, message, loss):
        super().__init__(message)
        self.loss = loss


def verses(n):
    metre = torch.randint(0, METRES, (n,))
    feet = torch.tensor([[0, 1, 0, 1, 0, 1], [1, 0, 1, 0, 1, 0], [0, 0, 1, 0, 0, 1], [1, 0, 0, 1, 0, 0]])
    stress = feet.repeat(1, 2)[metre].float()
    flip = torch.rand_like(stress) < 0.15
    x = torch.where(flip, 1 - stress, stress) + 0.3 * torch.randn(n, SYLLABLES)
    if torch.rand(()) < 0.06:
        x[0, 3] = float("nan")
    return x, metre


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(SYLLABLES, SYLLABLES)
        self.ff = nn.Linear(DIM, DIM)
        self.norm = nn.LayerNorm(DIM)

    def forward(self, z):
        z = z + self.mix(z.transpose(1, 2)).transpose(1, 2)
        return self.norm(z + F.gelu(self.ff(z)))


class Scanner(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = nn.Linear(1, DIM)
        self.blocks = nn.ModuleList([Block(), Block()])
        self.out = nn.Linear(DIM, METRES)

    def forward(self, x):
        z = self.lift(x.unsqueeze(-1))
        for b in self.blocks:
            z = checkpoint(b, z, use_reentrant=False)
        return self.out(z.mean(1) + z[:, 0])


def rate(step):
    if step < WARMUP:
        return (step + 1) / WARMUP
    return 0.5 * (1 + math.cos(math.pi * (step - WARMUP) / (STEPS - WARMUP)))


def compute(net, x, y):
    loss = F.cross_entropy(net(x), y)
    if not torch.isfinite(loss):
        raise BrokenLine("a syllable without stress", loss)
    return loss


net = Scanner()
opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.LambdaLR(opt, rate)
log, skipped, last_error = [], 0, None
step = 0
while step < STEPS:
    x, y = verses(20)
    try:
        loss = compute(net, x, y)
    except BrokenLine as err:
        last_error = err
        skipped += 1
        continue
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    log.append(loss.detach())
    step += 1
    if step % 84 == 0:
        print(f"{step} loss {torch.stack(log[-84:]).mean():.3f} skipped {skipped} "
              f"({last_error!r}, {getattr(last_error, 'loss', None)}) lr {sched.get_last_lr()[0]:.5f}")
