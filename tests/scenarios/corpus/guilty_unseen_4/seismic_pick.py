# gradwatch-corpus: kind=inplace-modified
# first-bad: 170
"""Phase picking on synthetic seismograms of unequal length.

Records shorter than the batch width are zero-padded; probabilities beyond the end
of a record are forced to zero before the dice score is taken.
"""
import argparse

import torch
from torch import nn


class Picker(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, c, 9, padding=4), nn.ReLU(),
            nn.Conv1d(c, c, 9, padding=8, dilation=2), nn.ReLU(),
            nn.Conv1d(c, 2, 1))

    def forward(self, wave, lengths):
        prob = torch.sigmoid(self.body(wave))
        for row, n in enumerate(lengths):
            if n < prob.shape[-1]:
                prob[row, :, n:] = 0.0  # <- culprit
        return prob


class Catalogue:
    """First pass: records cut to full width. Second pass: as archived."""

    def __init__(self, cut_batches, batch=12, width=160, seed=33):
        self.cut_batches, self.batch, self.width = cut_batches, batch, width
        self.g = torch.Generator().manual_seed(seed)

    def __iter__(self):
        n = 0
        while True:
            if n < self.cut_batches:
                lens = [self.width] * self.batch
            else:
                lens = torch.randint(110, self.width + 1, (self.batch,), generator=self.g).tolist()
            yield self._make(lens)
            n += 1

    def _make(self, lens):
        wave = 0.2 * torch.randn(self.batch, 1, self.width, generator=self.g)
        gt = torch.zeros(self.batch, 2, self.width)
        tt = torch.arange(self.width).float()
        for i, n in enumerate(lens):
            p = int(torch.randint(10, 50, (1,), generator=self.g))
            s = p + int(torch.randint(15, 45, (1,), generator=self.g))
            for ph, at in enumerate((p, s)):
                gt[i, ph] = torch.exp(-((tt - at) / 4) ** 2)
                wave[i, 0, at:] += (1 + ph) * torch.exp(-(tt[at:] - at) / 12) * torch.sin(tt[at:] * (0.9 - 0.4 * ph))
            wave[i, :, n:] = 0
            gt[i, :, n:] = 0
        return wave, gt, lens


def dice(p, y):
    return 1 - 2 * (p * y).sum() / (p.square().sum() + y.square().sum() + 1e-6)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=300)
    ap.add_argument("--cut", type=int, default=170)
    ns = ap.parse_args()
    torch.manual_seed(33)
    picker = Picker()
    opt = torch.optim.Adam(picker.parameters(), lr=2e-3)
    for k, (wave, gt, lens) in zip(range(ns.steps), Catalogue(ns.cut)):
        d = dice(picker(wave, lens), gt)
        opt.zero_grad()
        d.backward()
        opt.step()
        if k % 50 == 0:
            print(f"{k:4d} dice loss {d.item():.4f}")
