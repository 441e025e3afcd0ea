# gradwatch-corpus: kind=graph-held
# holder: self.keys | self.bank.keys | bank.keys | moco.bank.keys
# first-bad: 1
# also: graph-unused
"""Momentum contrast on toy waveforms with a first-in first-out key bank."""
import copy
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

SETTINGS = dict(steps=140, batch=32, bank_batches=48, temperature=0.1, momentum=0.98, lr=1e-3)


def waveforms(n, length=64):
    t = torch.linspace(0, 1, length)
    f = torch.rand(n, 1) * 9 + 1
    p = torch.rand(n, 1) * 6.28
    return torch.sin(6.28 * f * t + p) + 0.4 * torch.sign(torch.sin(3.1 * f * t))


def augment(x):
    gain = 0.7 + 0.6 * torch.rand(x.shape[0], 1)
    shift = int(torch.randint(0, x.shape[1], (1,)))
    return gain * torch.roll(x, shift, dims=1) + 0.1 * torch.randn_like(x)


class WaveEncoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 12, 9, stride=2, padding=4), nn.ReLU(),
            nn.Conv1d(12, 24, 9, stride=2, padding=4), nn.ReLU())
        self.proj = nn.Linear(24, dim)

    def forward(self, x):
        h = self.conv(x.unsqueeze(1)).mean(-1)
        return F.normalize(self.proj(h), dim=1)


class KeyBank:
    def __init__(self, n_batches):
        self.keys = deque(maxlen=n_batches)

    def __len__(self):
        return sum(len(k) for k in self.keys)

    def push(self, k):
        self.keys.append(k)  # <- culprit

    def negatives(self):
        if not self.keys:
            return None
        return torch.cat([k.detach() for k in self.keys])


class MoCo(nn.Module):
    def __init__(self, temperature, momentum, bank_batches):
        super().__init__()
        self.online = WaveEncoder()
        self.target = copy.deepcopy(self.online)
        self.tau, self.m = temperature, momentum
        self.bank = KeyBank(bank_batches)

    @torch.no_grad()
    def drift(self):
        for a, b in zip(self.target.parameters(), self.online.parameters()):
            a.mul_(self.m).add_(b, alpha=1 - self.m)

    def forward(self, x):
        q = self.online(augment(x))
        k = self.target(augment(x))  # <- culprit
        pos = (q * k.detach()).sum(1, keepdim=True)
        neg = self.bank.negatives()
        logits = pos if neg is None else torch.cat([pos, q @ neg.T], dim=1)
        self.bank.push(k)  # <- culprit
        return F.cross_entropy(logits / self.tau, torch.zeros(len(x), dtype=torch.long))


def run(cfg):
    torch.manual_seed(8)
    moco = MoCo(cfg["temperature"], cfg["momentum"], cfg["bank_batches"])
    opt = torch.optim.Adam(moco.online.parameters(), lr=cfg["lr"])
    for step in range(cfg["steps"]):
        loss = moco(waveforms(cfg["batch"]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        moco.drift()
        if step % 20 == 0:
            print(f"[{step:03d}] nce {loss.item():.3f} bank {len(moco.bank)}")


if __name__ == "__main__":
    run(SETTINGS)
