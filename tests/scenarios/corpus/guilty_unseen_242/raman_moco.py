# gradwatch-corpus: kind=inplace-modified
# holder: self.bank | model.bank
# first-bad: 0
"""Momentum contrast on Raman spectra: query encoder, EMA key encoder, bank of old keys."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class SpectraMoco(nn.Module):
    def __init__(self, dim=16, size=512, m=0.98, temp=0.15):
        super().__init__()
        self.query = nn.Sequential(
            nn.Conv1d(1, 8, 9, stride=4, padding=4),
            nn.ReLU(),
            nn.Conv1d(8, 16, 5, stride=2, padding=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(4),
            nn.Flatten(),
            nn.Linear(64, dim),
        )
        self.key = copy.deepcopy(self.query)
        for p in self.key.parameters():
            p.requires_grad_(False)
        self.m = m
        self.temp = temp
        self.size = size
        self.register_buffer("bank", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def move_key(self):
        for q, k in zip(self.query.parameters(), self.key.parameters()):
            k.mul_(self.m).add_(q, alpha=1 - self.m)

    @torch.no_grad()
    def put(self, k):
        n = k.size(0)
        self.bank[self.ptr:self.ptr + n] = k  # <- culprit
        self.ptr = (self.ptr + n) % self.size

    def forward(self, a, b):
        q = F.normalize(self.query(a), dim=1)
        with torch.no_grad():
            self.move_key()
            k = F.normalize(self.key(b), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.bank.t()  # <- culprit
        logits = torch.cat([pos, neg], dim=1) / self.temp
        self.put(k)  # <- culprit
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def spectra(n, peaks):
    kind = torch.randint(0, peaks.size(0), (n,))
    grid = torch.linspace(0, 1, 128)
    d = grid[None, None, :] - peaks[kind][:, :, None]
    return torch.exp(-(d / 0.02) ** 2).sum(1), kind


def augment(x):
    x = torch.roll(x, int(torch.randint(-3, 4, (1,))), dims=1)
    x = x * (0.8 + 0.4 * torch.rand(len(x), 1))
    return (x + 0.05 * torch.randn_like(x))[:, None]


def main():
    torch.manual_seed(28)
    peaks = torch.rand(20, 4)
    model = SpectraMoco()
    opt = torch.optim.SGD(model.query.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    losses = []
    for step in range(100):
        x, _ = spectra(32, peaks)
        loss = model(augment(x), augment(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        if step % 20 == 19:
            print(step + 1, round(sum(losses[-20:]) / 20, 4))


if __name__ == "__main__":
    main()
