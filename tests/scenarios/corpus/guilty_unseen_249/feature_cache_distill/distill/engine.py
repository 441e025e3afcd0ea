from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class EngineConfig:
    shards: int = 12
    per_shard: int = 40
    pixels: int = 48
    teacher_dim: int = 64
    student_dim: int = 24
    shared_dim: int = 16
    epochs: int = 6
    lr: float = 1e-3


class Teacher(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(cfg.pixels, cfg.teacher_dim),
            nn.ReLU(),
            nn.Linear(cfg.teacher_dim, cfg.teacher_dim),
        )
        self.bridge = nn.Linear(cfg.teacher_dim, cfg.shared_dim)

    def freeze_body(self):
        self.body.requires_grad_(False)
        return self

    def forward(self, x):
        return F.normalize(self.bridge(self.body(x)), dim=-1)


class DistillEngine:
    def __init__(self, cfg, cache):
        self.cfg = cfg
        self.cache = cache
        self.teacher = Teacher(cfg).freeze_body()
        self.student = nn.Sequential(
            nn.Linear(cfg.pixels, cfg.student_dim),
            nn.GELU(),
            nn.Linear(cfg.student_dim, cfg.shared_dim),
        )
        self.decoder = nn.Linear(cfg.shared_dim, cfg.pixels)
        modules = nn.ModuleList([self.student, self.decoder, self.teacher.bridge])
        self.optimizer = torch.optim.Adam(modules.parameters(), lr=cfg.lr)

    def step(self, key, patches):
        target = self.cache.get_or_compute(key, lambda: self.teacher(patches))  # <- culprit
        emb = F.normalize(self.student(patches), dim=-1)
        align = 1 - (emb * target).sum(-1).mean()
        recon = F.mse_loss(self.decoder(emb), patches)
        loss = align + recon
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run_epoch(self, shards):
        losses = []
        for key, patches in shards:
            losses.append(self.step(key, patches))
        return sum(losses) / len(losses)
