from dataclasses import dataclass

import torch
from torch.nn import functional as F

from .averaging import PolyakAverager


@dataclass
class Settings:
    steps: int = 450
    lr: float = 3e-3
    pull: float = 1e-2
    decay: float = 0.98
    report: int = 75


class AnchoredTrainer:
    def __init__(self, model, settings):
        self.model = model
        self.settings = settings
        self.opt = torch.optim.Adam(model.parameters(), lr=settings.lr)
        self.anchor = PolyakAverager(model, settings.decay)

    def loss(self, x, c):
        fit = F.mse_loss(self.model(x), c)
        return fit + self.settings.pull * self.anchor.distance(), fit

    def train_step(self, x, c):
        self.anchor.update()
        loss, fit = self.loss(x, c)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return fit.item()

    def run(self, source):
        for step in range(self.settings.steps):
            fit = self.train_step(*source.batch())
            if step % self.settings.report == 0:
                print(f"[{step:04d}] fit={fit:.5f}")
