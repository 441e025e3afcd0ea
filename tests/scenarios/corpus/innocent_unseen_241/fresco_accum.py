# gradwatch-corpus: kind=none
"""Segments pigments in multispectral fresco patches; micro-batches, per-epoch cache of frozen features, EMA copy."""
import copy
import itertools
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


class FrescoPatches:
    def __init__(self, n=48, bands=8, side=12, seed=101):
        rng = torch.Generator().manual_seed(seed)
        self.spectra = torch.rand(4, bands, generator=rng)
        labels = torch.randn(n, 4, side, side, generator=rng)
        labels = F.avg_pool2d(labels, 5, stride=1, padding=2)
        self.labels = labels.argmax(1)
        cube = self.spectra[self.labels].permute(0, 3, 1, 2)
        self.cubes = cube + 0.2 * torch.randn(cube.shape, generator=rng)
        self.rng = rng

    def __len__(self):
        return len(self.cubes)

    def order(self):
        return torch.randperm(len(self), generator=self.rng).tolist()


class BandMixer(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.conv = nn.Conv2d(bands, 16, 3, padding=1)
        self.norm = nn.GroupNorm(4, 16)

    def forward(self, cube):
        return F.relu(self.norm(self.conv(cube)))


class PigmentHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 16, 3, padding=1)
        self.out = nn.Conv2d(16, 4, 1)

    def forward(self, feats):
        return self.out(feats + F.relu(self.conv(feats)))


class FeatureCacheMixin:
    """Mixer is frozen inside a cycle, so features may be re-used until `drop_cache`."""

    def cached_features(self, index):
        if index not in self.cache:
            with torch.no_grad():
                self.cache[index] = self.mixer(self.patches.cubes[index][None])
        return self.cache[index]

    def drop_cache(self):
        self.cache.clear()


class FrescoTrainer(FeatureCacheMixin):
    def __init__(self, micro=4, accumulate=3):
        self.patches = FrescoPatches()
        self.mixer = BandMixer(8)
        self.head = PigmentHead()
        self.head_ema = copy.deepcopy(self.head).requires_grad_(False)
        self.opt_head = torch.optim.Adam(self.head.parameters(), lr=3e-3)
        self.opt_mixer = torch.optim.SGD(self.mixer.parameters(), lr=0.02)
        self.cache = OrderedDict()
        self.micro = micro
        self.accumulate = accumulate
        self.loss_history = []

    def micro_batches(self):
        order = iter(self.patches.order())
        while chunk := list(itertools.islice(order, self.micro)):
            yield chunk

    def head_epoch(self):
        running = torch.zeros(())
        for k, chunk in enumerate(self.micro_batches(), start=1):
            feats = torch.cat([self.cached_features(i) for i in chunk])
            loss = F.cross_entropy(self.head(feats), self.patches.labels[chunk])
            (loss / self.accumulate).backward()
            running += loss.detach()
            self.loss_history.append(loss.detach())
            if k % self.accumulate == 0:
                self.opt_head.step()
                self.opt_head.zero_grad()
                self.blend_ema()
        return (running / k).item()

    def mixer_step(self):
        chunk = self.patches.order()[: 2 * self.micro]
        self.head.requires_grad_(False)
        logits = self.head(self.mixer(self.patches.cubes[chunk]))
        loss = F.cross_entropy(logits, self.patches.labels[chunk])
        self.opt_mixer.zero_grad()
        loss.backward()
        self.opt_mixer.step()
        self.head.requires_grad_(True)
        self.drop_cache()

    @torch.no_grad()
    def blend_ema(self, m=0.9):
        for e, p in zip(self.head_ema.parameters(), self.head.parameters()):
            e.mul_(m).add_(p, alpha=1 - m)

    @torch.no_grad()
    def accuracy(self):
        logits = self.head_ema(self.mixer(self.patches.cubes))
        return (logits.argmax(1) == self.patches.labels).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(101)
    trainer = FrescoTrainer()
    for epoch in range(12):
        loss = trainer.head_epoch()
        trainer.mixer_step()
        print(f"epoch {epoch:2d} loss {loss:.4f} acc {trainer.accuracy():.3f}")
    print("micro batches seen:", len(trainer.loss_history))
