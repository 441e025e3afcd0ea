# gradwatch-corpus: kind=inplace-modified
# first-bad: 6
"""Spectral regression of molecules' fingerprints; trainer with hook points, weight-norm capping for Lipschitz layers."""
import torch

from hooks import LRWarmup, LipschitzCap
from model import FingerprintNet
from trainer import Trainer


def make_data(n=512, bits=64, seed=0):
    g = torch.Generator().manual_seed(seed)
    x = (torch.rand(n, bits, generator=g) < 0.2).float()
    w = torch.randn(bits, 8, generator=g) / 4
    return x, torch.sin(x @ w) + 0.05 * torch.randn(n, 8, generator=g)


def batches(x, y, bs, seed):
    g = torch.Generator().manual_seed(seed)
    while True:
        for idx in torch.randperm(len(x), generator=g).split(bs):
            yield x[idx], y[idx]


if __name__ == "__main__":
    torch.manual_seed(0)
    net = FingerprintNet(64, 96, 8)
    trainer = Trainer(
        net,
        torch.optim.Adam(net.parameters(), lr=1e-3),
        hooks=[LRWarmup(20), LipschitzCap(limit=0.08, start=6, every=3)],
    )
    x, y = make_data()
    trainer.run(batches(x, y, 64, seed=1), iters=120)
