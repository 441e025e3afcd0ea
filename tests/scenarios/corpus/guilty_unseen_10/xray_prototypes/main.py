# gradwatch-corpus: kind=graph-chain
# holder: self.prototypes | head.prototypes | self.head.prototypes | engine.head.prototypes
# first-bad: 2
"""Few-shot findings on chest X-rays: frozen backbone, prototype head with momentum.
Images are synthetic so that the script runs anywhere in the company."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
from torch import nn

from engine import Engine
from heads import build_head

FINDINGS = ("clear", "effusion", "nodule", "cardiomegaly", "pneumothorax")


def make_backbone(width=8):
    return nn.Sequential(
        nn.Conv2d(1, width, 5, stride=2, padding=2), nn.ReLU(),
        nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(4), nn.Flatten(),
    )


class SyntheticXrays:
    def __init__(self, size=24, seed=29):
        self.g = torch.Generator().manual_seed(seed)
        coarse = torch.randn(len(FINDINGS), 1, 6, 6, generator=self.g)
        self.pattern = nn.functional.interpolate(coarse, size=(size, size), mode="bilinear")

    def batch(self, n):
        y = torch.randint(0, len(FINDINGS), (n,), generator=self.g)
        x = self.pattern[y] + 3.0 * torch.randn(n, 1, *self.pattern.shape[-2:], generator=self.g)
        return x, y


def main(iterations=210, batch=16):
    torch.manual_seed(30)
    data = SyntheticXrays()
    backbone = make_backbone()
    head = build_head("prototype", in_dim=16 * 16, n_classes=len(FINDINGS))
    engine = Engine(backbone, head)
    val = data.batch(80)
    for it in range(1, iterations + 1):
        loss = engine.train_batch(*data.batch(batch))
        if it % 70 == 0:
            print(f"iter {it}: loss {loss:.3f}, val acc {engine.evaluate(*val):.2f}")


if __name__ == "__main__":
    main()
