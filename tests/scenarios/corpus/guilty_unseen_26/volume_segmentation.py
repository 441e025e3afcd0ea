# gradwatch-corpus: kind=graph-held
# holder: self.failures | self.guard.failures | trainer.guard.failures | guard.failures
# first-bad: 1
# after: pytorch/pytorch 10348 "Possible memory leak when exceptions are raised"; fairseq "attempting to recover from OOM" threads
"""Organ segmentation on CT patches. Some scans have broken slices: their loss is not finite, the patch
is then cropped to the clean half and tried again (as we do when a patch does not fit on the card)."""
from __future__ import annotations

import logging
from collections import Counter

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("seg")


class BadPatch(RuntimeError):
    def __init__(self, where):
        super().__init__(f"non finite loss in {where}")
        self.where = where


class Patches(Dataset):
    def __init__(self, n=160, size=16, broken=0.5):
        g = torch.Generator().manual_seed(21)
        self.n, self.size = n, size
        self.centre = torch.rand(n, 3, generator=g) * size
        self.broken = torch.arange(n) % 2 < 2 * broken - 0.5
        self.noise = torch.Generator().manual_seed(22)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        ax = torch.arange(self.size).float()
        zyx = torch.stack(torch.meshgrid(ax, ax, ax, indexing="ij"))
        dist = (zyx - self.centre[i].view(3, 1, 1, 1)).norm(dim=0)
        mask = (dist < 5).float()
        scan = mask + 0.4 * torch.randn(mask.shape, generator=self.noise)
        if self.broken[i]:
            scan[self.size // 2:] = float("inf")
        return scan[None], mask[None], i


class UNetish(nn.Module):
    def __init__(self, c=6):
        super().__init__()
        self.inp = nn.Conv3d(1, c, 3, padding=1)
        self.down = nn.Conv3d(c, 2 * c, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose3d(2 * c, c, 2, stride=2)
        self.out = nn.Conv3d(2 * c, 1, 1)

    def forward(self, x):
        a = F.relu(self.inp(x))
        b = self.up(F.relu(self.down(a)))
        return self.out(torch.cat([a, b], 1))


def dice_ce(logits, mask):
    p = torch.sigmoid(logits)
    dice = 1 - (2 * (p * mask).sum() + 1) / (p.sum() + mask.sum() + 1)
    return dice + F.binary_cross_entropy_with_logits(logits, mask)


class Guard:
    """Counts what went wrong, for the report to the data team."""

    def __init__(self):
        self.failures: list[Exception] = []

    def note(self, exc):
        self.failures.append(exc)  # <- culprit

    def report(self):
        return Counter(type(e).__name__ for e in self.failures)


class Trainer:
    def __init__(self, net, lr=3e-3):
        self.net, self.guard = net, Guard()
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def compute(self, scan, mask, ids):
        logits = self.net(scan)
        loss = dice_ce(logits, mask)
        if not torch.isfinite(loss):
            raise BadPatch(ids.tolist())
        return loss

    def step(self, scan, mask, ids):
        try:
            loss = self.compute(scan, mask, ids)
        except BadPatch as e:
            self.guard.note(e)
            half = scan.shape[2] // 2
            loss = self.compute(scan[:, :, :half], mask[:, :, :half], ids)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(3)
    trainer = Trainer(UNetish())
    for epoch in range(2):
        losses = [trainer.step(*b) for b in DataLoader(Patches(), batch_size=4)]
        log.info("epoch %d  %d patches  loss %.3f  %s", epoch, len(losses), sum(losses) / len(losses),
                 dict(trainer.guard.report()))


if __name__ == "__main__":
    main()
