# gradwatch-corpus: kind=graph-held
# holder: self.sum | self.meters["penalty"].sum | self.meters["penalty"] | self.meters | rig.meters | meter.sum | self[key].sum | rig.meters['penalty'].sum
# first-bad: 1
"""Calorimeter shower generator, WGAN with gradient penalty.   python cinder"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch

from rig import AdversarialRig, RigConfig


def showers(n, batch, cells=36):
    ring = torch.linspace(0, 1, cells)
    for _ in range(n):
        depth = torch.rand(batch, 1) * 0.5 + 0.2
        width = 0.05 + 0.1 * torch.rand(batch, 1)
        e = torch.exp(-((ring - depth) / width) ** 2)
        yield e * (0.9 + 0.2 * torch.rand_like(e))


if __name__ == "__main__":
    torch.manual_seed(9)
    rig = AdversarialRig(RigConfig())
    rig.fit(showers(rig.cfg.rounds, rig.cfg.batch))
    print("summary:", "  ".join(f"{k} {m.avg:.4f}" for k, m in rig.meters.items()))
