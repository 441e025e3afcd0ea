# gradwatch-corpus: kind=graph-held
# holder: self.window | meter.window | meters["loss"].window
# first-bad: 1
"""Keyword spotting on synthetic log-mel patches."""
import argparse
import math
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class SmoothedValue:
    fmt: str = "{:.3f}"
    window: deque = field(default_factory=lambda: deque(maxlen=5000))
    count: int = 0
    total: float = 0.0

    def update(self, value, n=1):
        self.window.append(value)  # <- culprit
        self.count += n
        self.total += float(value) * n

    @property
    def median(self):
        vals = sorted(float(v) for v in list(self.window)[-25:])
        return vals[len(vals) // 2] if vals else math.nan

    @property
    def avg(self):
        return self.total / max(self.count, 1)

    def __str__(self):
        return self.fmt.format(self.median) + " (" + self.fmt.format(self.avg) + ")"


class DSBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.dw = nn.Conv1d(c, c, 5, padding=2, groups=c)
        self.pw = nn.Conv1d(c, c, 1)
        self.bn = nn.BatchNorm1d(c)

    def forward(self, x):
        return x + F.relu(self.bn(self.pw(self.dw(x))))


class KWSNet(nn.Module):
    def __init__(self, n_mels=20, width=24, n_words=8):
        super().__init__()
        self.stem = nn.Conv1d(n_mels, width, 3, padding=1)
        self.blocks = nn.Sequential(DSBlock(width), DSBlock(width))
        self.out = nn.Linear(width, n_words)

    def forward(self, mel):
        h = self.blocks(F.relu(self.stem(mel)))
        return self.out(h.mean(-1))


def make_corpus(n, n_words, gen):
    templates = torch.randn(n_words, 20, 30, generator=gen)
    y = torch.randint(n_words, (n,), generator=gen)
    x = templates[y] + 1.5 * torch.randn(n, 20, 30, generator=gen)
    return x, y


def spec_augment(x, gen):
    t0 = int(torch.randint(0, 24, (1,), generator=gen))
    x = x.clone()
    x[:, :, t0:t0 + 5] = 0
    return x


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=450)
    p.add_argument("--bs", type=int, default=16)
    p.add_argument("--lr", type=float, default=2e-3)
    args = p.parse_args()

    gen = torch.Generator().manual_seed(11)
    torch.manual_seed(11)
    x, y = make_corpus(512, 8, gen)
    net = KWSNet()
    opt = torch.optim.AdamW(net.parameters(), lr=args.lr)
    meters = {"loss": SmoothedValue(), "acc": SmoothedValue("{:.2f}")}

    for step in range(args.steps):
        idx = torch.randint(len(x), (args.bs,), generator=gen)
        logits = net(spec_augment(x[idx], gen))
        loss = F.cross_entropy(logits, y[idx], label_smoothing=0.05)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        meters["loss"].update(loss, n=args.bs)
        meters["acc"].update((logits.argmax(-1) == y[idx]).float().mean().item(), n=args.bs)
        if step % 75 == 0:
            print(step, "  ".join(f"{k}: {m}" for k, m in meters.items()))


if __name__ == "__main__":
    main()
