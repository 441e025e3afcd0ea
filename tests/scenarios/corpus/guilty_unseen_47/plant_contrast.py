# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Momentum contrast on leaf spectra (two noisy looks at the same leaf)."""
import copy

import torch
import torch.nn.functional as F
from torch import nn

BANDS, DIM, QUEUE, BATCH = 40, 16, 256, 32
STEPS = 90


class SpectraEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 5, padding=2)
        self.fc = nn.Linear(8 * BANDS // 4, DIM)

    def forward(self, x):
        h = F.avg_pool1d(F.relu(self.conv(x.unsqueeze(1))), 4)
        return F.normalize(self.fc(h.flatten(1)), dim=1)


class MomentumContrast(nn.Module):
    def __init__(self, temperature=0.15, momentum=0.98):
        super().__init__()
        self.online = SpectraEncoder()
        self.slow = copy.deepcopy(self.online)
        for p in self.slow.parameters():
            p.requires_grad = False
        self.t, self.m = temperature, momentum
        self.register_buffer("queue", F.normalize(torch.randn(QUEUE, DIM), dim=1))
        self.cursor = 0

    @torch.no_grad()
    def _follow(self):
        for a, b in zip(self.online.parameters(), self.slow.parameters()):
            b.mul_(self.m).add_(a, alpha=1 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        end = self.cursor + len(keys)
        self.queue[self.cursor:end] = keys  # <- culprit
        self.cursor = end % QUEUE

    def forward(self, look_a, look_b):
        q = self.online(look_a)
        with torch.no_grad():
            self._follow()
            k = self.slow(look_b)
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.queue.t()  # <- culprit
        logits = torch.cat([positive, negative], 1) / self.t
        self._enqueue(k)  # <- culprit
        return logits


class Leaves:
    def __init__(self, n, seed):
        self.gen = torch.Generator().manual_seed(seed)
        centres = torch.rand(n, 3, generator=self.gen)
        widths = 0.05 + 0.1 * torch.rand(n, 3, generator=self.gen)
        grid = torch.linspace(0, 1, BANDS)
        peaks = torch.exp(-((grid - centres.unsqueeze(-1)) / widths.unsqueeze(-1)) ** 2)
        self.spectra = peaks.sum(1)

    def look(self, idx):
        x = self.spectra[idx]
        gain = 0.8 + 0.4 * torch.rand(len(idx), 1, generator=self.gen)
        return gain * x + 0.05 * torch.randn(x.shape, generator=self.gen)

    def pairs(self):
        idx = torch.randint(0, len(self.spectra), (BATCH,), generator=self.gen)
        return self.look(idx), self.look(idx)


def main():
    torch.manual_seed(15)
    leaves = Leaves(600, 15)
    net = MomentumContrast()
    opt = torch.optim.SGD(net.online.parameters(), lr=0.1, momentum=0.9)
    truth = torch.zeros(BATCH, dtype=torch.long)
    for step in range(STEPS):
        logits = net(*leaves.pairs())
        loss = F.cross_entropy(logits, truth)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 15 == 0:
            top = (logits.argmax(1) == 0).float().mean().item()
            print(f"step {step:3d}  nce {loss.item():.4f}  top1 {top:.2f}")


if __name__ == "__main__":
    main()
