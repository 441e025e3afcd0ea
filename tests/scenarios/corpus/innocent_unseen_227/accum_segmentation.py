# gradwatch-corpus: kind=none
"""Tiny U-Net for disc segmentation: micro-batches, weight averaging and best-model tracking."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class TinyUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.d1 = nn.Conv2d(1, c, 3, padding=1)
        self.d2 = nn.Conv2d(c, 2 * c, 3, stride=2, padding=1)
        self.u1 = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.out = nn.Conv2d(2 * c, 1, 1)

    def forward(self, x):
        a = F.relu(self.d1(x))
        b = F.relu(self.d2(a))
        u = F.relu(self.u1(b))
        return self.out(torch.cat([a, u], dim=1)).squeeze(1)


def discs(n, size=16):
    g = torch.arange(size).float()
    cy = torch.rand(n, 1, 1) * size
    cx = torch.rand(n, 1, 1) * size
    mask = ((g[:, None] - cy) ** 2 + (g[None, :] - cx) ** 2 < 16).float()
    img = mask + 0.5 * torch.randn(n, size, size)
    return img.unsqueeze(1), mask


def dice(logits, mask):
    p = logits.sigmoid()
    return 1 - (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)


class Trainer:
    def __init__(self, accumulate=4):
        self.net = TinyUNet()
        self.avg = copy.deepcopy(self.net).requires_grad_(False)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.accumulate = accumulate
        self.window = []
        self.best = (float("inf"), None)
        self.log = []

    @torch.no_grad()
    def average(self, decay=0.9):
        for a, p in zip(self.avg.parameters(), self.net.parameters()):
            a.lerp_(p, 1 - decay)

    def micro(self, i):
        x, m = discs(8)
        logits = self.net(x)
        loss = F.binary_cross_entropy_with_logits(logits, m) + dice(logits, m)
        (loss / self.accumulate).backward()
        self.window.append(loss.detach())
        if (i + 1) % self.accumulate == 0:
            self.opt.step()
            self.opt.zero_grad()
            self.average()
            self.flush()

    def flush(self):
        mean = torch.stack(self.window).mean().item()
        self.window.clear()
        self.log.append(mean)
        if mean < self.best[0]:
            weights = {k: v.detach().clone() for k, v in self.net.state_dict().items()}
            self.best = (mean, weights)

    @torch.no_grad()
    def evaluate(self):
        x, m = discs(32)
        return dice(self.avg(x), m).item()

    def run(self, n):
        for i in range(n):
            self.micro(i)
            if (i + 1) % 40 == 0:
                print(i + 1, "train", self.log[-1], "val dice loss", self.evaluate())
        self.net.load_state_dict(self.best[1])


torch.manual_seed(30)
Trainer().run(160)
