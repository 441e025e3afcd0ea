# gradwatch-corpus: kind=graph-held
# holder: self.load | layer.load | block.load | net.layers[0].load | net.layers[1].load | model.layers[0].load | model.layers[1].load | self.layers[0].load | self.layers[1].load
# first-bad: 1
# notice: 8
"""Sparse mixture model for land-cover labels from multispectral satellite pixels."""
import time
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Config:
    bands: int = 11
    classes: int = 6
    width: int = 24
    experts: int = 4
    depth: int = 2
    epochs: int = 5
    steps_per_epoch: int = 24
    batch: int = 96
    balance: float = 0.02


class ExpertLayer(nn.Module):
    """Top-2 routed feed-forward layer."""

    def __init__(self, width, experts):
        super().__init__()
        self.router = nn.Linear(width, experts, bias=False)
        self.up = nn.Parameter(torch.randn(experts, width, 2 * width) * width ** -0.5)
        self.down = nn.Parameter(torch.randn(experts, 2 * width, width) * (2 * width) ** -0.5)
        self.norm = nn.LayerNorm(width)
        self.balance_loss = None
        self.load = torch.zeros(experts)
        self.seen = 0

    def forward(self, x):
        h = self.norm(x)
        probs = self.router(h).softmax(dim=-1)
        top, idx = probs.topk(2, dim=-1)
        gates = torch.zeros_like(probs).scatter(1, idx, top / top.sum(1, keepdim=True))
        hidden = F.silu(torch.einsum("bw,ewh->beh", h, self.up))
        y = torch.einsum("beh,ehw->bew", hidden, self.down)
        out = x + (gates.unsqueeze(-1) * y).sum(1)

        if self.training:
            share = gates.gt(0).float().mean(0)
            self.balance_loss = probs.size(1) * (share * probs.mean(0)).sum()
            self.load = self.load + gates.sum(0)  # <- culprit
            self.seen += x.size(0)
        return out

    def utilisation(self):
        return [round(v / max(self.seen, 1), 3) for v in self.load.tolist()]


class LandCoverNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.stem = nn.Linear(cfg.bands, cfg.width)
        self.layers = nn.ModuleList(ExpertLayer(cfg.width, cfg.experts) for _ in range(cfg.depth))
        self.head = nn.Linear(cfg.width, cfg.classes)

    def forward(self, x):
        x = self.stem(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)

    def aux(self):
        return sum(layer.balance_loss for layer in self.layers)


class PixelSource:
    def __init__(self, cfg, seed=21):
        self.g = torch.Generator().manual_seed(seed)
        self.signature = torch.rand(cfg.classes, cfg.bands, generator=self.g)
        self.cfg = cfg

    def __call__(self, n):
        y = torch.randint(self.cfg.classes, (n,), generator=self.g)
        haze = 0.2 * torch.rand(n, 1, generator=self.g)
        x = self.signature[y] * (1 - haze) + haze
        return x + 0.08 * torch.randn(x.shape, generator=self.g), y


def run_epoch(net, opt, source, cfg):
    net.train()
    total = 0.0
    for _ in range(cfg.steps_per_epoch):
        x, y = source(cfg.batch)
        loss = F.cross_entropy(net(x), y) + cfg.balance * net.aux()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / cfg.steps_per_epoch


@torch.no_grad()
def accuracy(net, source, n=512):
    net.eval()
    x, y = source(n)
    return (net(x).argmax(1) == y).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    cfg = Config()
    source = PixelSource(cfg)
    net = LandCoverNet(cfg)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    t0 = time.time()
    for epoch in range(cfg.epochs):
        loss = run_epoch(net, opt, source, cfg)
        acc = accuracy(net, source)
        print(f"epoch {epoch} loss {loss:.3f} acc {acc:.3f} [{time.time() - t0:.1f}s]")
        for i, block in enumerate(net.layers):
            print(f"   layer {i} utilisation {block.utilisation()}")


if __name__ == "__main__":
    main()
