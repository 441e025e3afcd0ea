from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from si import SynapticIntelligence


@dataclass(frozen=True)
class LearnerConfig:
    in_dim: int
    hidden: int
    classes: int
    lr: float
    strength: float


class ContinualLearner:
    def __init__(self, cfg: LearnerConfig):
        self.net = nn.Sequential(
            nn.Linear(cfg.in_dim, cfg.hidden), nn.ReLU(),
            nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(),
            nn.Linear(cfg.hidden, cfg.classes),
        )
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg.lr, momentum=0.8)
        self.reg = SynapticIntelligence(self.net, cfg.strength)

    def step(self, x, y) -> float:
        self.opt.zero_grad()
        task_loss = F.cross_entropy(self.net(x), y)
        task_loss.backward()
        # the path integral wants the gradient of the task alone
        grads = {n: p.grad.clone() for n, p in self.net.named_parameters()}
        self.reg.penalty().backward()
        self.reg.before_step()
        self.opt.step()
        self.reg.after_step(grads)
        return task_loss.item()

    def fit(self, batches) -> list[float]:
        self.net.train()
        losses = [self.step(x, y) for x, y in batches]
        self.reg.consolidate()
        return losses

    @torch.no_grad()
    def accuracy(self, x, y) -> float:
        self.net.eval()
        return (self.net(x).argmax(1) == y).float().mean().item()
