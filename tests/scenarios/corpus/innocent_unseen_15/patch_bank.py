# gradwatch-corpus: kind=none
"""Momentum contrast on synthetic texture patches, with a ring buffer of negative keys
and a key encoder that trails the query encoder."""
import copy
import math

import torch
import torch.nn.functional as F
from torch import nn

SIDE = 12


class Textures:
    """Oriented gratings; a second view is shifted, dimmed and noisy."""

    def __init__(self, batch, seed):
        self.batch = batch
        self.gen = torch.Generator().manual_seed(seed)
        ax = torch.linspace(-1, 1, SIDE)
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing="ij")

    def _rand(self, *shape):
        return torch.rand(*shape, generator=self.gen)

    def _render(self, angle, freq):
        phase = 2 * math.pi * self._rand(self.batch, 1, 1)
        along = angle.cos() * self.xx + angle.sin() * self.yy
        gain = 0.6 + 0.4 * self._rand(self.batch, 1, 1)
        clean = gain * torch.sin(freq * along + phase)
        return (clean + 0.15 * torch.randn(clean.shape, generator=self.gen)).unsqueeze(1)

    def pair(self):
        angle = math.pi * self._rand(self.batch, 1, 1)
        freq = 4 + 8 * self._rand(self.batch, 1, 1)
        return self._render(angle, freq), self._render(angle, freq)


class PatchNet(nn.Module):
    def __init__(self, ch=8, dim=16):
        super().__init__()
        self.conv1 = nn.Conv2d(1, ch, 3, padding=1)
        self.conv2 = nn.Conv2d(ch, 2 * ch, 3, stride=2, padding=1)
        self.proj = nn.Linear(2 * ch, dim)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x)).mean((2, 3))
        return F.normalize(self.proj(x), dim=1)


class KeyBank(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=1))
        self.cursor = 0

    @torch.no_grad()
    def enqueue(self, keys):
        idx = (self.cursor + torch.arange(len(keys))) % len(self.keys)
        self.keys[idx] = keys
        self.cursor = (self.cursor + len(keys)) % len(self.keys)


class MoCo(nn.Module):
    def __init__(self, dim=16, bank=256, momentum=0.99, temperature=0.15):
        super().__init__()
        self.query = PatchNet(dim=dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.bank = KeyBank(bank, dim)
        self.momentum = momentum
        self.temperature = temperature

    @torch.no_grad()
    def trail(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.lerp_(q, 1 - self.momentum)

    def forward(self, a, b):
        q = self.query(a)
        k = self.key(b)
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.bank.keys.clone().T
        logits = torch.cat([positive, negative], 1) / self.temperature
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.bank.enqueue(k)
        return loss, (logits.argmax(1) == 0).float().mean()


def train(model, data, n):
    opt = torch.optim.SGD(model.query.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, n)
    loss_sum = acc_sum = 0.0
    for i in range(1, n + 1):
        loss, acc = model(*data.pair())
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        model.trail()
        loss_sum += loss.detach()
        acc_sum += acc
        if i % 50 == 0:
            print(f"{i:4d} loss {float(loss_sum) / 50:.3f} top1 {float(acc_sum) / 50:.3f}")
            loss_sum = acc_sum = 0.0


if __name__ == "__main__":
    torch.manual_seed(51)
    train(MoCo(), Textures(batch=24, seed=51), 250)
