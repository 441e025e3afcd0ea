# gradwatch-corpus: kind=graph-held
# holder: self.total | self.meters["loss"].total | meter.total | self.metrics.meters["loss"].total
# first-bad: 1
"""Small DDPM on 2-D point clouds (two moons)."""
import copy
import math
from collections import defaultdict, deque
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    timesteps: int = 100
    hidden: int = 64
    batch_size: int = 128
    lr: float = 2e-3
    steps: int = 600
    ema_decay: float = 0.99
    seed: int = 7


class SmoothedValue:
    def __init__(self, window_size=20):
        self.deque = deque(maxlen=window_size)
        self.total = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.deque.append(float(value))
        self.count += n
        self.total += value * n  # <- culprit

    @property
    def avg(self):
        return sum(self.deque) / max(len(self.deque), 1)

    @property
    def global_avg(self):
        return self.total / max(self.count, 1)


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, n=1, **kwargs):
        for k, v in kwargs.items():
            self.meters[k].update(v, n)

    def __str__(self):
        return "  ".join(f"{k}: {m.avg:.4f} ({float(m.global_avg):.4f})" for k, m in self.meters.items())


class Denoiser(nn.Module):
    def __init__(self, hidden, emb=16):
        super().__init__()
        self.register_buffer("freqs", torch.exp(-math.log(1000.0) * torch.arange(emb // 2) / (emb // 2)))
        self.net = nn.Sequential(
            nn.Linear(2 + emb, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 2),
        )

    def forward(self, x, t):
        ang = t[:, None].float() * self.freqs[None]
        return self.net(torch.cat([x, ang.sin(), ang.cos()], dim=1))


def two_moons(n):
    a = torch.rand(n) * math.pi
    side = (torch.rand(n) > 0.5).float()
    x = torch.stack([a.cos() * (1 - 2 * side) + side, a.sin() * (1 - 2 * side) + 0.5 * side], 1)
    return x + 0.05 * torch.randn_like(x)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Denoiser(cfg.hidden)
        self.ema = copy.deepcopy(self.model).requires_grad_(False)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.steps)
        betas = torch.linspace(1e-4, 0.05, cfg.timesteps)
        self.alpha_bar = torch.cumprod(1 - betas, 0)
        self.metrics = MetricLogger()

    @torch.no_grad()
    def update_ema(self):
        for pe, p in zip(self.ema.parameters(), self.model.parameters()):
            pe.lerp_(p, 1 - self.cfg.ema_decay)

    def train_step(self, x0):
        t = torch.randint(0, self.cfg.timesteps, (x0.size(0),))
        noise = torch.randn_like(x0)
        ab = self.alpha_bar[t][:, None]
        xt = ab.sqrt() * x0 + (1 - ab).sqrt() * noise
        loss = F.mse_loss(self.model(xt, t), noise)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.update_ema()
        self.metrics.update(n=x0.size(0), loss=loss)

    def fit(self):
        data = two_moons(4096)
        for step in range(self.cfg.steps):
            idx = torch.randint(0, len(data), (self.cfg.batch_size,))
            self.train_step(data[idx])
            if step % 100 == 0:
                print(f"[{step}] {self.metrics}")


if __name__ == "__main__":
    cfg = Config()
    torch.manual_seed(cfg.seed)
    Trainer(cfg).fit()
