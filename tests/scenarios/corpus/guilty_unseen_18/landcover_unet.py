# gradwatch-corpus: kind=graph-held
# holder: stats[name] | stats | monitor.stats | self.stats | trainer.monitor.stats | bucket
# first-bad: 4
# notice: 32
"""Land-cover segmentation from 6-band Sentinel-like tiles, tiny U-Net.

The activation monitor samples the layers now and then so that dead filters show up in the nightly report."""
import functools
from collections import defaultdict
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Config:
    bands: int = 6
    classes: int = 5
    tile: int = 24
    batch: int = 4
    steps: int = 220
    lr: float = 3e-3
    sample_every: int = 4
    report_every: int = 55


def conv_bn(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class MiniUNet(nn.Module):
    def __init__(self, cfg: Config, width=8):
        super().__init__()
        self.enc1 = conv_bn(cfg.bands, width)
        self.enc2 = conv_bn(width, 2 * width)
        self.mid = conv_bn(2 * width, 2 * width)
        self.dec = conv_bn(3 * width, width)
        self.head = nn.Conv2d(width, cfg.classes, 1)

    def forward(self, x):
        a = self.enc1(x)
        b = self.mid(self.enc2(F.max_pool2d(a, 2)))
        up = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.head(self.dec(torch.cat([a, up], 1)))


class ActivationMonitor:
    """Collects the mean activation of every watched block on sampled steps."""

    def __init__(self, model, blocks, every):
        self.stats = defaultdict(list)
        self.every = every
        self.tick = 0
        for name in blocks:
            block = getattr(model, name)
            block.register_forward_hook(functools.partial(self._record, name))
        model.register_forward_pre_hook(self._advance)

    def _advance(self, module, args):
        self.tick += 1

    def _record(self, name, module, args, output):
        if not module.training or self.tick % self.every:
            return
        bucket = self.stats[name]
        bucket.append(output.mean(dim=(0, 2, 3)))  # <- culprit

    def report(self):
        for name, rows in self.stats.items():
            with torch.no_grad():
                m = torch.stack(rows).mean(0)
            dead = int((m < 1e-3).sum())
            print(f"    {name:5s} mean act {m.mean().item():.3f}, dead filters {dead}/{m.numel()}")


def tiles(cfg, seed=11):
    gen = torch.Generator().manual_seed(seed)
    spectra = torch.randn(cfg.classes, cfg.bands, generator=gen)
    while True:
        coarse = torch.rand(cfg.batch, cfg.classes, 4, 4, generator=gen)
        field = F.interpolate(coarse, size=(cfg.tile, cfg.tile), mode="bilinear", align_corners=False)
        label = field.argmax(1)
        x = spectra[label].permute(0, 3, 1, 2)
        x = x + 0.5 * torch.randn(x.shape, generator=gen)
        yield x, label


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = MiniUNet(cfg)
        self.monitor = ActivationMonitor(self.model, ("enc1", "mid", "dec"), cfg.sample_every)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, cfg.steps)

    def loss(self, logits, label):
        ce = F.cross_entropy(logits, label)
        p = logits.softmax(1)
        onehot = F.one_hot(label, self.cfg.classes).permute(0, 3, 1, 2)
        dice = 1 - (2 * (p * onehot).sum() + 1) / (p.sum() + onehot.sum() + 1)
        return ce + 0.5 * dice

    def fit(self):
        self.model.train()
        for step, (x, y) in zip(range(1, self.cfg.steps + 1), tiles(self.cfg)):
            self.optimizer.zero_grad()
            logits = self.model(x)
            loss = self.loss(logits, y)
            loss.backward()
            self.optimizer.step()
            self.schedule.step()
            if step % self.cfg.report_every == 0:
                acc = (logits.detach().argmax(1) == y).float().mean().item()
                print(f"step {step:4d} loss {loss.item():.4f} pixel acc {acc:.3f}")
                self.monitor.report()


if __name__ == "__main__":
    torch.manual_seed(3)
    trainer = Trainer(Config())
    trainer.fit()
