# gradwatch-corpus: kind=inplace-modified
# holder: self.queue | moco.queue
# first-bad: 6
"""Momentum-contrast pretraining on synthetic whale-call spectrograms."""
import copy
import math

import torch
from torch import nn
import torch.nn.functional as F


def calls(n, n_freq=24, n_time=32):
    f = torch.linspace(0, 1, n_freq)[None, :, None]
    t = torch.linspace(0, 1, n_time)[None, None, :]
    start = torch.rand(n, 1, 1) * 0.5 + 0.1
    sweep = torch.randn(n, 1, 1) * 0.4
    ridge = start + sweep * t
    return torch.exp(-((f - ridge) ** 2) / 0.004)


def augment(spec):
    gain = torch.rand(spec.shape[0], 1, 1) + 0.5
    shifted = torch.roll(spec, int(torch.randint(-4, 5, ())), dims=2)
    return gain * shifted + 0.1 * torch.randn_like(spec)


class CallEncoder(nn.Module):
    def __init__(self, out=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 12, 3, stride=2),
            nn.ReLU(),
            nn.Conv2d(12, 24, 3, stride=2),
            nn.ReLU(),
        )
        self.proj = nn.Linear(24, out)

    def forward(self, spec):
        h = self.conv(spec.unsqueeze(1)).mean(dim=(2, 3))
        return F.normalize(self.proj(h), dim=1)


class MoCo(nn.Module):
    def __init__(self, capacity=192, dim=32, momentum=0.98, temp=0.1):
        super().__init__()
        self.online = CallEncoder(dim)
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.register_buffer("queue", torch.zeros(capacity, dim))
        self.cursor = 0
        self.filled = False
        self.momentum = momentum
        self.temp = temp

    @torch.no_grad()
    def follow(self):
        for slow, fast in zip(self.target.parameters(), self.online.parameters()):
            slow.lerp_(fast, 1 - self.momentum)

    @torch.no_grad()
    def enqueue(self, keys):
        end = self.cursor + keys.shape[0]
        self.queue[self.cursor:end] = keys  # <- culprit
        self.filled = self.filled or end >= self.queue.shape[0]
        self.cursor = end % self.queue.shape[0]

    def forward(self, a, b):
        q = self.online(a)
        with torch.no_grad():
            k = self.target(b)
        if self.filled:
            positive = (q * k).sum(dim=1, keepdim=True)
            negative = q @ self.queue.t()  # <- culprit
            logits = torch.cat([positive, negative], dim=1)
            labels = torch.zeros(len(q), dtype=torch.long)
        else:
            logits = q @ k.t()
            labels = torch.arange(len(q))
        loss = F.cross_entropy(logits / self.temp, labels)
        self.enqueue(k)  # <- culprit
        return loss


def cosine(step, total, base):
    return base * 0.5 * (1 + math.cos(math.pi * step / total))


def main(total=100):
    torch.manual_seed(140)
    moco = MoCo()
    opt = torch.optim.SGD(moco.online.parameters(), lr=0.1, momentum=0.9)
    for step in range(total):
        opt.param_groups[0]["lr"] = cosine(step, total, 0.1)
        x = calls(32)
        loss = moco(augment(x), augment(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        moco.follow()
        print(f"{step} {loss.item():.4f}")


if __name__ == "__main__":
    main()
