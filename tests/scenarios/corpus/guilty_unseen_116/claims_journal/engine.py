from dataclasses import dataclass

import torch
from torch import nn

from events import BatchLoaded, RunFinished, StepDone


@dataclass
class EngineConfig:
    seed: int = 19
    features: int = 14
    width: int = 32
    steps: int = 320
    batch: int = 48
    lr: float = 3e-3
    clip: float = 2.0


class GammaNLL(nn.Module):
    def forward(self, log_mean, y):
        return (log_mean + y * torch.exp(-log_mean)).mean()


class Engine:
    def __init__(self, cfg, bus):
        self.cfg, self.bus = cfg, bus
        self.net = nn.Sequential(
            nn.Linear(cfg.features, cfg.width), nn.SiLU(), nn.Linear(cfg.width, 1))
        self.loss_fn = GammaNLL()
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr)

    def claims(self):
        gen = torch.Generator().manual_seed(self.cfg.seed)
        w = torch.randn(self.cfg.features, generator=gen) * 0.25
        for _ in range(self.cfg.steps):
            x = torch.randn(self.cfg.batch, self.cfg.features, generator=gen)
            u = torch.rand(self.cfg.batch, generator=gen).clamp_min(1e-3)
            yield x, -torch.log(u) * torch.exp(x @ w)

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.loss_fn(self.net(x).squeeze(-1), y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.clip)
        self.opt.step()
        return loss, norm.item()

    def run(self):
        i = -1
        for i, (x, y) in enumerate(self.claims()):
            self.bus.publish(BatchLoaded(i, len(x)))
            loss, norm = self.step(x, y)
            self.bus.publish(StepDone(i, loss, norm))  # <- culprit
        self.bus.publish(RunFinished(i, self))
