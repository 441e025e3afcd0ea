# gradwatch-corpus: kind=graph-held
# holder: self.scores[site] | meter.scores[site] | self.scores | trainer.meters['dice'].scores
# first-bad: 1
"""Lesion segmentation on synthetic slices, per-site Dice reporting."""
from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn

METERS = {}


def register_meter(name):
    def deco(cls):
        METERS[name] = cls
        return cls
    return deco


class Meter:
    def update(self, site, probs, mask):
        raise NotImplementedError

    def summary(self):
        raise NotImplementedError


@register_meter("dice")
class SiteDice(Meter):
    def __init__(self, eps=1e-5):
        self.eps = eps
        self.scores = defaultdict(list)

    def _dice(self, probs, mask):
        inter = (probs * mask).sum(dim=(1, 2, 3))
        size = probs.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3))
        return ((2 * inter + self.eps) / (size + self.eps)).mean()

    def update(self, site, probs, mask):
        self.scores[site].append(self._dice(probs, mask))  # <- culprit

    def summary(self):
        return {f"dice/{s}": sum(float(x) for x in v[-20:]) / len(v[-20:]) for s, v in self.scores.items()}


@register_meter("volume")
class VolumeRatio(Meter):
    def __init__(self):
        self.predicted = defaultdict(float)
        self.actual = defaultdict(float)

    def update(self, site, probs, mask):
        self.predicted[site] += (probs > 0.5).sum().item()
        self.actual[site] += mask.sum().item()

    def summary(self):
        return {f"vol/{s}": self.predicted[s] / max(self.actual[s], 1.0) for s in self.actual}


class SliceLoader:
    sites = ("north", "coast", "valley")

    def __init__(self, size=16, batch=6, seed=3):
        self.size, self.batch = size, batch
        self.gen = torch.Generator().manual_seed(seed)
        ax = torch.arange(size).float()
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing="ij")

    def get(self, index):
        c = torch.rand(self.batch, 2, generator=self.gen) * self.size
        d = (self.yy - c[:, :1, None]) ** 2 + (self.xx - c[:, 1:, None]) ** 2
        mask = (d < 12).float().unsqueeze(1)
        image = mask + 0.4 * torch.randn(mask.shape, generator=self.gen)
        return self.sites[index % len(self.sites)], image, mask


class SegTrainer:
    def __init__(self, meters):
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 1)
        )
        self.optim = torch.optim.Adam(self.net.parameters(), lr=4e-3)
        self.meters = {m: METERS[m]() for m in meters}

    def _notify(self, site, logits, mask):
        probs = logits.sigmoid()
        for meter in self.meters.values():
            meter.update(site, probs, mask)

    def step(self, site, image, mask):
        logits = self.net(image)
        loss = F.binary_cross_entropy_with_logits(logits, mask)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self._notify(site, logits, mask)

    def report(self):
        merged = {}
        for meter in self.meters.values():
            merged.update(meter.summary())
        return merged


def main():
    torch.manual_seed(1)
    trainer, loader = SegTrainer(["dice", "volume"]), SliceLoader()
    for i in range(480):
        trainer.step(*loader.get(i))
        if (i + 1) % 120 == 0:
            print({k: round(v, 3) for k, v in trainer.report().items()})


if __name__ == "__main__":
    main()
