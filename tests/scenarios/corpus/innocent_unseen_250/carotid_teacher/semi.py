import copy
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class SemiConfig:
    seed: int = 23
    size: int = 20
    batch: int = 4
    width: int = 8
    iterations: int = 120
    decay: float = 0.98
    snapshot_every: int = 20
    consistency_weight: float = 2.0
    lr: float = 2e-3


@dataclass
class Report:
    supervised: float
    consistency: float


def wall_net(width):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1),
        nn.BatchNorm2d(width),
        nn.ReLU(),
        nn.Conv2d(width, width, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(width, 1, 1),
    )


class MeanTeacher:
    def __init__(self, config):
        self.config = config
        self.student = wall_net(config.width)
        self.teacher = copy.deepcopy(self.student)
        self.teacher.requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.student.parameters(), lr=config.lr)
        self.snapshots = deque(maxlen=3)
        self.iteration = 0
        self.mean_supervised = None

    @torch.no_grad()
    def follow(self):
        for slow, quick in zip(self.teacher.parameters(), self.student.parameters()):
            slow.mul_(self.config.decay).add_(quick, alpha=1 - self.config.decay)
        for slow, quick in zip(self.teacher.buffers(), self.student.buffers()):
            slow.copy_(quick)

    def iterate(self, labelled, unlabelled):
        frame, vessel = labelled
        supervised = F.binary_cross_entropy_with_logits(self.student(frame), vessel)
        with torch.no_grad():
            belief = torch.sigmoid(self.teacher(unlabelled))
        noisy = unlabelled + 0.1 * torch.randn_like(unlabelled)
        guess = torch.sigmoid(self.student(noisy))
        consistency = F.mse_loss(guess, belief)
        loss = supervised + self.config.consistency_weight * consistency
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.follow()
        current = supervised.detach()
        if self.mean_supervised is None:
            self.mean_supervised = current
        else:
            self.mean_supervised = 0.9 * self.mean_supervised + 0.1 * current
        if self.iteration % self.config.snapshot_every == 0:
            self.snapshots.append({
                "iteration": self.iteration,
                "agreement": 1 - consistency.item(),
                "weights": copy.deepcopy(self.teacher.state_dict()),
            })
        self.iteration += 1
        return Report(self.mean_supervised.item(), consistency.item())
