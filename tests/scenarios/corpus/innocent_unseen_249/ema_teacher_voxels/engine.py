from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class TeacherConfig:
    side: int = 8
    classes: int = 4
    batch: int = 12
    labelled: int = 4
    steps: int = 90
    weight: float = 2.0
    lr: float = 2e-3


class ShapeSampler:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(45)
        self.proto = torch.rand(cfg.classes, 1, cfg.side, cfg.side, cfg.side, generator=self.gen)

    def draw(self):
        label = torch.randint(self.cfg.classes, (self.cfg.batch,), generator=self.gen)
        clean = (self.proto[label] > 0.6).float()
        flips = torch.rand(clean.shape, generator=self.gen) < 0.1
        return torch.where(flips, 1 - clean, clean), label


class MeanTeacherEngine:
    def __init__(self, cfg, plugins, teacher):
        self.cfg = cfg
        self.teacher = teacher
        self.plugins = plugins
        self.student = nn.Sequential(
            nn.Conv3d(1, 8, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(8 * (cfg.side // 2) ** 3, cfg.classes),
        )
        self.sampler = ShapeSampler(cfg)
        self.optimizer = torch.optim.Adam(self.student.parameters(), lr=cfg.lr)

    def run(self):
        for plugin in self.plugins:
            plugin.setup(self)
        for step in range(self.cfg.steps):
            grid, label = self.sampler.draw()
            logits = self.student(grid)
            n = self.cfg.labelled
            supervised = F.cross_entropy(logits[:n], label[:n])
            target = self.teacher(grid + 0.05 * torch.randn_like(grid)).softmax(-1)
            consistency = F.mse_loss(logits.softmax(-1), target)
            loss = supervised + self.cfg.weight * consistency
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            for plugin in self.plugins:
                plugin.after_update(self, step, loss)
            if step % 30 == 0:
                print(f"step {step} total {loss.item():.4f} level {self.teacher.level.item():.4f}")
