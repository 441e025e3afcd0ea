from dataclasses import dataclass
from itertools import islice

import torch
from torch import nn

from filters import ema, peak


@dataclass(frozen=True)
class Settings:
    steps: int = 200
    latent: int = 8
    decay: float = 0.95
    lr: float = 2e-3
    spread: float = 0.3


class OneClassTrainer:
    def __init__(self, cfg, width):
        self.cfg = cfg
        self.encode = nn.Sequential(nn.Linear(width, cfg.latent), nn.Tanh())
        self.opt = torch.optim.Adam(self.encode.parameters(), lr=cfg.lr, weight_decay=1e-4)
        self.tracker = ema(cfg.decay)
        self.worst = peak()
        self.last_centre = None

    def objective(self, z):
        centre = self.tracker.send(z.mean(0))  # <- culprit
        self.last_centre = centre
        compact = (z - centre).pow(2).sum(1).mean()
        spread = (self.cfg.spread - z.std(0)).clamp_min(0).mean()
        return compact + spread

    def fit(self, stream):
        for i, x in enumerate(islice(stream, self.cfg.steps)):
            self.opt.zero_grad()
            loss = self.objective(self.encode(x))
            loss.backward(retain_graph=True)
            self.opt.step()
            worst = self.worst.send(loss.item())
            if i % 55 == 0:
                print(f"{i:4d} loss {loss.item():.4f} worst so far {worst or 0:.4f}")

    @torch.no_grad()
    def score(self, x):
        return (self.encode(x) - self.last_centre).pow(2).sum(1)
