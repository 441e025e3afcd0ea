# gradwatch-corpus: kind=none
"""Heatwave outlook: three tasks on one trunk, balanced by the gradient norm each has on the trunk."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class OutlookConfig:
    predictors: int = 30
    trunk: int = 48
    batch: int = 64
    updates: int = 130
    smoothing: float = 0.9
    lr: float = 2e-3


class OutlookModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(cfg.predictors, cfg.trunk),
            nn.SiLU(),
            nn.Linear(cfg.trunk, cfg.trunk),
            nn.SiLU(),
        )
        self.peak = nn.Linear(cfg.trunk, 1)
        self.duration = nn.Linear(cfg.trunk, 1)
        self.alert = nn.Linear(cfg.trunk, 3)

    def forward(self, predictors):
        shared = self.trunk(predictors)
        return shared, {
            "peak": self.peak(shared).squeeze(1),
            "duration": self.duration(shared).squeeze(1),
            "alert": self.alert(shared),
        }


class GradientBalancer:
    def __init__(self, smoothing):
        self.smoothing = smoothing
        self.norms = {}

    def weigh(self, losses, shared):
        for name, loss in losses.items():
            (grad,) = torch.autograd.grad(loss, shared, retain_graph=True)
            norm = grad.norm()
            if name in self.norms:
                self.norms[name] = self.smoothing * self.norms[name] + (1 - self.smoothing) * norm
            else:
                self.norms[name] = norm
        mean = torch.stack(list(self.norms.values())).mean()
        weights = {name: mean / (norm + 1e-8) for name, norm in self.norms.items()}
        return sum(weights[name] * loss for name, loss in losses.items())


class Climatology:
    def __init__(self, cfg):
        self.cfg = cfg
        self.mixing = torch.randn(cfg.predictors, 3) / cfg.predictors ** 0.5

    def season(self):
        predictors = torch.randn(self.cfg.batch, self.cfg.predictors)
        drivers = predictors @ self.mixing
        truth = {
            "peak": 5 * drivers[:, 0],
            "duration": drivers[:, 1].exp(),
            "alert": torch.bucketize(drivers[:, 2], torch.tensor([-0.5, 0.5])),
        }
        return predictors, truth


def task_losses(outputs, truth):
    return {
        "peak": F.mse_loss(outputs["peak"], truth["peak"]),
        "duration": F.smooth_l1_loss(outputs["duration"], truth["duration"]),
        "alert": F.cross_entropy(outputs["alert"], truth["alert"]),
    }


def main():
    torch.manual_seed(30)
    cfg = OutlookConfig()
    model = OutlookModel(cfg)
    balancer = GradientBalancer(cfg.smoothing)
    climatology = Climatology(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for update in range(cfg.updates):
        predictors, truth = climatology.season()
        shared, outputs = model(predictors)
        losses = task_losses(outputs, truth)
        objective = balancer.weigh(losses, shared)
        optimizer.zero_grad()
        objective.backward()
        optimizer.step()
        if update % 30 == 0:
            parts = " ".join(f"{name} {loss.item():.3f}" for name, loss in losses.items())
            print(f"update {update:3d} {parts}")


if __name__ == "__main__":
    main()
