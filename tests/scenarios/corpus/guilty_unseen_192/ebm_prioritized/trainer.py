from dataclasses import dataclass

import torch
from torch import nn

from .buffer import SampleBuffer
from .sampler import langevin


@dataclass
class Settings:
    iters: int = 420
    batch: int = 16
    capacity: int = 20000
    langevin_steps: int = 6
    step_size: float = 0.1
    noise: float = 0.02
    reg: float = 0.05
    lr: float = 1e-3


class Energy(nn.Module):
    def __init__(self, dim=2, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)


class EBMTrainer:
    def __init__(self, cfg):
        torch.manual_seed(0)
        self.cfg = cfg
        self.energy = Energy()
        self.optim = torch.optim.Adam(self.energy.parameters(), lr=cfg.lr, betas=(0.0, 0.999))
        self._buffer = SampleBuffer(cfg.capacity, dim=2)

    def real_batch(self):
        n = self.cfg.batch
        side = torch.randint(0, 2, (n, 1)).float() * 2 - 1
        return torch.cat([side, side.neg()], 1) + 0.15 * torch.randn(n, 2)

    def training_step(self, pos):
        cfg = self.cfg
        neg = langevin(self.energy, self._buffer.draw(cfg.batch), cfg.langevin_steps, cfg.step_size, cfg.noise)
        e_pos, e_neg = self.energy(pos), self.energy(neg)
        loss = e_pos.mean() - e_neg.mean() + cfg.reg * (e_pos.pow(2) + e_neg.pow(2)).mean()
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self._buffer.push(neg, e_neg)
        return loss.item(), (e_pos.mean() - e_neg.mean()).item()

    def fit(self):
        for it in range(self.cfg.iters):
            loss, gap = self.training_step(self.real_batch())
            if it % 60 == 0:
                print(f"iter {it:4d} loss {loss:+.4f} gap {gap:+.4f} buffer {len(self._buffer)}")
