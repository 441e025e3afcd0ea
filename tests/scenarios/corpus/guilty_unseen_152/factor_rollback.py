# gradwatch-corpus: kind=memory-climb
# holder: self.states | rollback.states | self.states[iteration]
# first-bad: 0
"""Autoencoder for yield-curve factors, with a callback that can roll back to an earlier state."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class FactorConfig:
    tenors: int = 60
    width: int = 384
    factors: int = 6
    batch: int = 32
    iterations: int = 90
    lr: float = 1e-3


class CurveAutoencoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(cfg.tenors, cfg.width), nn.ELU(), nn.Linear(cfg.width, 192),
                                    nn.ELU(), nn.Linear(192, cfg.factors))
        self.decode = nn.Sequential(nn.Linear(cfg.factors, 192), nn.ELU(), nn.Linear(192, cfg.tenors))

    def forward(self, curves):
        return self.decode(self.encode(curves))


class Callback:
    def after(self, trainer, iteration, value):
        pass


class Rollback(Callback):
    """Returns to the best state when the loss has exploded."""

    def __init__(self, ratio=5.0):
        self.ratio = ratio
        self.states = {}
        self.values = {}

    def after(self, trainer, iteration, value):
        best = min(self.values, key=self.values.get, default=None)
        if best is not None and value > self.ratio * self.values[best]:
            trainer.model.load_state_dict(self.states[best])
            print(f"{iteration}: back to {best}")
            return
        self.values[iteration] = value
        self.states[iteration] = {k: v.detach().clone() for k, v in trainer.model.state_dict().items()}  # <- culprit


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def after(self, trainer, iteration, value):
        if iteration % self.every == 0:
            print(f"{iteration:3d}  mse {value:.5f}")


class CurveTrainer:
    def __init__(self, cfg, callbacks):
        self.cfg = cfg
        self.callbacks = callbacks
        self.model = CurveAutoencoder(cfg)
        self.optimizer = torch.optim.Adam(self.model.parameters(), cfg.lr)
        self.rng = np.random.default_rng(50)

    def curves(self):
        tau = np.linspace(0.25, 30, self.cfg.tenors)
        level, slope, hump = self.rng.normal(size=(3, self.cfg.batch, 1))
        decay = np.exp(-tau / 4)
        y = level + slope * decay + hump * tau / 4 * decay
        return torch.as_tensor(y, dtype=torch.float32)

    def run(self):
        for iteration in range(self.cfg.iterations):
            curves = self.curves()
            loss = nn.functional.mse_loss(self.model(curves), curves)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            for cb in self.callbacks:
                cb.after(self, iteration, loss.item())


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(50)
    rollback = Rollback()
    CurveTrainer(FactorConfig(), [Printer(15), rollback]).run()
    print("best", min(rollback.values.values()))
