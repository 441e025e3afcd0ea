from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass(frozen=True)
class Plan:
    epochs: int
    steps: int
    features: int = 18
    width: int = 48
    batch: int = 64
    lr: float = 4e-3


class Arrivals:
    def __init__(self, plan):
        self.plan = plan
        self.mix = torch.randn(3, plan.features) / plan.features ** 0.5

    def __iter__(self):
        for _ in range(self.plan.steps):
            x = torch.randn(self.plan.batch, self.plan.features)
            raw = x @ self.mix.T
            yield x, {
                "wait": 10 * raw[:, 0].exp(),
                "cranes": raw[:, 1].mul(1.5).round().clamp(-2, 2).long() + 2,
                "delay": (raw[:, 2] + 0.3 * torch.randn(len(x)) > 0).float(),
            }


class BerthNet(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.heads = nn.ModuleDict({"wait": nn.Linear(width, 1), "cranes": nn.Linear(width, 5), "delay": nn.Linear(width, 1)})

    def losses(self, x, y):
        z = self.trunk(x)
        out = {k: head(z) for k, head in self.heads.items()}
        return {
            "wait": F.smooth_l1_loss(out["wait"].squeeze(1), y["wait"].log1p()),
            "cranes": F.cross_entropy(out["cranes"], y["cranes"]),
            "delay": F.binary_cross_entropy_with_logits(out["delay"].squeeze(1), y["delay"]),
        }
