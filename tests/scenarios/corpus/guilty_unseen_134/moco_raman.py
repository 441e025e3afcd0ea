# gradwatch-corpus: kind=inplace-modified
# holder: self.queue | model.queue
# first-bad: 0
# notice: 0
"""Contrastive pretraining on Raman spectra with a ring of negatives in a buffer."""
import math

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Ring(nn.Module):
    def __init__(self, dim, size):
        super().__init__()
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))
        self.register_buffer("head", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def put(self, keys):
        n, i = keys.shape[0], int(self.head)
        self.queue[:, i:i + n] = keys.t()  # <- culprit
        self.head.fill_((i + n) % self.queue.shape[1])

    def against(self, q):
        return q @ self.queue  # <- culprit


class SpectrumNet(nn.Module):
    def __init__(self, bins, dim):
        super().__init__()
        self.conv = nn.Conv1d(1, 6, 7, stride=3)
        n = (bins - 7) // 3 + 1
        self.fc = nn.Linear(6 * n, dim)

    def forward(self, s):
        return F.normalize(self.fc(F.relu(self.conv(s[:, None])).flatten(1)), dim=1)


class RamanMoCo(nn.Module):
    def __init__(self, bins=50, dim=12, size=96, m=0.99, tau=0.15):
        super().__init__()
        self.m, self.tau = m, tau
        self.base, self.slow = SpectrumNet(bins, dim), SpectrumNet(bins, dim)
        self.slow.load_state_dict(self.base.state_dict())
        self.slow.requires_grad_(False)
        self.ring = Ring(dim, size)

    @torch.no_grad()
    def keys(self, view):
        for a, b in zip(self.base.parameters(), self.slow.parameters()):
            b.mul_(self.m).add_((1 - self.m) * a)
        return self.slow(view)

    def forward(self, v1, v2):
        q = self.base(v1)
        k = self.keys(v2)
        logits = torch.cat([(q * k).sum(1, keepdim=True), self.ring.against(q)], 1) / self.tau
        self.ring.put(k)
        return logits, torch.zeros(len(q), dtype=torch.long)


class Spectra:
    def __init__(self, bins, batch):
        self.x = torch.linspace(0, 1, bins)
        self.batch = batch

    def __iter__(self):
        for _ in range(400):
            mu = torch.rand(self.batch, 3, 1)
            clean = torch.exp(-((self.x - mu) / 0.03) ** 2).sum(1)
            yield tuple(clean * (0.7 + 0.6 * torch.rand(self.batch, 1)) + 0.05 * torch.randn_like(clean)
                        + torch.rand(self.batch, 1) * self.x for _ in range(2))


class Pretraining:
    def __init__(self):
        self.model = RamanMoCo()
        self.opt = torch.optim.SGD(self.model.base.parameters(), lr=0.03, momentum=0.9)

    def run(self, loader):
        for i, (a, b) in enumerate(loader):
            logits, target = self.model(a, b)
            loss = F.cross_entropy(logits, target)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.opt.param_groups[0]["lr"] = 0.015 * (1 + math.cos(math.pi * i / 400))


if __name__ == "__main__":
    torch.manual_seed(44)
    Pretraining().run(Spectra(50, 16))
