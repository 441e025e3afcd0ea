# gradwatch-corpus: kind=graph-chain
# holder: self.keys | bank.keys | model.bank.keys | net.bank.keys
# first-bad: 1
# notice: 5
"""Contrastive pre-training of windows of accelerometer data with a ring of negatives."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def windows(n, length=32, activities=4):
    """Each activity has its own frequency; phase and gain vary."""
    a = torch.randint(0, activities, (n,))
    t = torch.arange(length) / length
    f = (a.float() + 1.5).unsqueeze(1)
    ph = 2 * math.pi * torch.rand(n, 1)
    g = 0.7 + 0.6 * torch.rand(n, 1)
    return g * torch.sin(2 * math.pi * f * t + ph) + 0.8 * torch.randn(n, length), a


def jitter(x):
    return x.roll(int(torch.randint(0, 4, ())), 1) + 0.1 * torch.randn_like(x)


class KeyBank:
    """Ring of the most recent keys."""

    def __init__(self, size, dim):
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.ptr = 0

    def push(self, k):
        n = k.shape[0]
        assert self.keys.shape[0] % n == 0
        self.keys[self.ptr:self.ptr + n] = k  # <- culprit
        self.ptr = (self.ptr + n) % self.keys.shape[0]

    def negatives(self):
        return self.keys  # <- culprit


class WindowContrast(nn.Module):
    def __init__(self, length, dim, bank_size=128, temp=0.2):
        super().__init__()
        spec = length // 2 + 1
        self.encoder = nn.Linear(2 * spec, dim)
        self.bank = KeyBank(bank_size, dim)
        self.temp = temp

    def features(self, x):
        s = torch.fft.rfft(x)
        return torch.cat([s.real, s.imag], 1) / x.shape[1] ** 0.5

    def embed(self, x):
        return F.normalize(self.encoder(self.features(x)), dim=1)

    def forward(self, x):
        q, k = self.embed(jitter(x)), self.embed(jitter(x))
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.bank.negatives().t()
        logits = torch.cat([pos, neg], 1) / self.temp
        loss = F.cross_entropy(logits, torch.zeros(len(x), dtype=torch.long))
        return loss, k


def pretrain(model, steps, batch=16):
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    run = 0.0
    for s in range(steps):
        x, _ = windows(batch)
        loss, keys = model(x)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        model.bank.push(keys)  # <- culprit
        run = loss.item() if s == 0 else 0.95 * run + 0.05 * loss.item()
        if s % 40 == 0:
            print(f"{s:4d} loss {run:.4f}")


@torch.no_grad()
def knn_accuracy(model, k=5):
    xa, ya = windows(256)
    xb, yb = windows(128)
    sim = model.embed(xb) @ model.embed(xa).t()
    votes = ya[sim.topk(k, 1).indices]
    return (votes.mode(1).values == yb).float().mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(19)
    net = WindowContrast(32, 12)
    print("before", round(knn_accuracy(net), 3))
    pretrain(net, 240)
    print("after", round(knn_accuracy(net), 3))
