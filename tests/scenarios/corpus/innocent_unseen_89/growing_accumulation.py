# gradwatch-corpus: kind=none
"""Contrastive pre-training of sensor snippets with an effective batch size that changes over the run.

The losses of the micro-batches of one update are summed and walked in one go. How many there are follows a schedule, and a noise
estimate moves it up or down a bit.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def snippets(n, length=24):
    """Two jittered views of the same n underlying waves."""
    t = torch.linspace(0, 1, length)
    f = 2 + 6 * torch.rand(n, 1)
    a = 6.28 * torch.rand(n, 1)
    wave = torch.sin(6.28 * f * t + a)

    def view():
        gain = 0.8 + 0.4 * torch.rand(n, 1)
        return gain * wave + 0.15 * torch.randn(n, length)

    return view(), view()


class Encoder(nn.Module):
    def __init__(self, length=24, dim=12):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(length, 32), nn.GELU(), nn.Linear(32, dim))

    def forward(self, x):
        return F.normalize(self.f(x), dim=1)


def info_nce(a, b, temperature=0.2):
    sim = a @ b.t() / temperature
    target = torch.arange(len(a))
    return 0.5 * (F.cross_entropy(sim, target) + F.cross_entropy(sim.t(), target))


class BatchPlan:
    stages = ((0, 1), (80, 2), (160, 4), (240, 8))

    def __init__(self, most=12):
        self.most = most
        self.extra = 0

    def count(self, update):
        base = max(n for start, n in self.stages if update >= start)
        return min(self.most, max(1, base + self.extra))

    def note(self, losses):
        if len(losses) < 2:
            return
        rel = losses.std().item() / max(losses.mean().item(), 1e-6)
        self.extra += 1 if rel > 0.12 else -1
        self.extra = max(-2, min(4, self.extra))


class Accumulator:
    def __init__(self, opt):
        self.opt = opt
        self.pending = []

    def add(self, loss):
        self.pending.append(loss)

    def flush(self):
        losses = torch.stack(self.pending)
        self.opt.zero_grad()
        losses.mean().backward()
        self.opt.step()
        self.pending.clear()
        return losses.detach()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(41)
    enc = Encoder()
    acc = Accumulator(torch.optim.AdamW(enc.parameters(), lr=1e-3))
    plan = BatchPlan()
    micro = 0
    avg = math.log(16)
    for update in range(400):
        for _ in range(plan.count(update)):
            a, b = snippets(16)
            acc.add(info_nce(enc(a), enc(b)))
            micro += 1
        losses = acc.flush()
        plan.note(losses)
        avg = 0.95 * avg + 0.05 * losses.mean().item()
        if (update + 1) % 80 == 0:
            print(f"update {update + 1}: {len(losses)} micro-batches, loss {avg:.3f}, {micro} in all")


if __name__ == "__main__":
    main()
