# gradwatch-corpus: kind=graph-held
# holder: self.captured | probe.captured | self.captured["cross"] | probe.captured["cross"]
# first-bad: 1
"""Click-through model for product bundles, with a probe for activation statistics."""
import collections
import dataclasses

import torch
from torch import nn


@dataclasses.dataclass
class BundleConfig:
    products: int = 500
    bundle: int = 5
    dim: int = 16
    width: int = 64
    batch: int = 64
    batches: int = 160
    report_every: int = 40
    lr: float = 0.004


class CrossLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = nn.Linear(width, width)

    def forward(self, base, current):
        return base * self.gate(current) + current


class BundleCTR(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.product = nn.Embedding(cfg.products, cfg.dim)
        flat = cfg.dim * cfg.bundle
        self.cross = CrossLayer(flat)
        self.deep = nn.Sequential(nn.Linear(flat, cfg.width), nn.ReLU())
        self.click = nn.Linear(flat + cfg.width, 1)

    def forward(self, bundles):
        flat = self.product(bundles).flatten(1)
        crossed = self.cross(flat, flat)
        deep = self.deep(flat)
        return self.click(torch.cat([crossed, deep], dim=1)).squeeze(1)


class ActivationProbe:
    def __init__(self):
        self.captured = collections.defaultdict(list)

    def attach(self, name, layer):
        def record(module, inputs, output):
            norms = output.norm(dim=1)
            self.captured[name].append(norms)  # <- culprit

        layer.register_forward_hook(record)  # <- culprit

    def report(self, last):
        lines = []
        for name, norms in self.captured.items():
            joined = torch.cat(norms[-last:])
            lines.append(f"{name}: {joined.mean().item():.3f} +- {joined.std().item():.3f}")
        return ", ".join(lines)


class Impressions:
    def __init__(self, cfg):
        self.cfg = cfg
        self.appeal = torch.randn(cfg.products)

    def __iter__(self):
        for _ in range(self.cfg.batches):
            bundles = torch.randint(0, self.cfg.products, (self.cfg.batch, self.cfg.bundle))
            rate = torch.sigmoid(self.appeal[bundles].sum(dim=1))
            yield bundles, torch.bernoulli(rate)


def train(cfg):
    model = BundleCTR(cfg)
    probe = ActivationProbe()
    probe.attach("cross", model.cross)
    probe.attach("deep", model.deep)
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=cfg.lr)
    for index, (bundles, clicks) in enumerate(Impressions(cfg), start=1):
        optimizer.zero_grad()
        loss = criterion(model(bundles), clicks)
        loss.backward()
        optimizer.step()
        if index % cfg.report_every == 0:
            print(f"{index:4d} loss {loss.item():.4f} | {probe.report(cfg.report_every)}")


if __name__ == "__main__":
    torch.manual_seed(41)
    train(BundleConfig())
