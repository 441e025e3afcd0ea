# gradwatch-corpus: kind=graph-chain
# holder: self.value | self.scale.value | fit.scale.value | scale.value
# first-bad: 1
"""GARCH(1,1) by gradient descent over rolling blocks of returns."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class GarchConfig:
    assets: int = 6
    block: int = 10
    iterations: int = 60
    lr: float = 0.02
    decay: float = 0.9


def simulate(n, assets, seed=31):
    rng = np.random.default_rng(seed)
    var = np.full(assets, 1.0)
    rows = np.empty((n, assets), dtype=np.float32)
    for i in range(n):
        rows[i] = np.sqrt(var) * rng.normal(size=assets)
        var = 0.05 + 0.12 * rows[i] ** 2 + 0.83 * var
    return torch.from_numpy(rows)


class RunningScale:
    """Divides a loss by its own moving average, so that blocks weigh alike."""

    def __init__(self, decay):
        self.decay = decay
        self.value = None

    def __call__(self, loss):
        if self.value is None:
            self.value = loss.detach()
        self.value = self.decay * self.value + (1 - self.decay) * loss  # <- culprit
        return loss / self.value


class Garch(nn.Module):
    def __init__(self, assets):
        super().__init__()
        self.omega_raw = nn.Parameter(torch.full((assets,), -2.0))
        self.alpha_raw = nn.Parameter(torch.full((assets,), -2.0))
        self.beta_raw = nn.Parameter(torch.full((assets,), 1.0))

    def forward(self, returns):
        omega, alpha = self.omega_raw.exp(), self.alpha_raw.sigmoid()
        beta = self.beta_raw.sigmoid()
        var = returns.pow(2).mean(0)
        terms = []
        for r in returns:
            terms.append(var.log() + r.pow(2) / var)
            var = omega + alpha * r.pow(2) + (1 - alpha) * beta * var
        return 2.0 + 0.5 * torch.stack(terms).mean()


class BlockFit:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Garch(cfg.assets)
        self.scale = RunningScale(cfg.decay)
        self.optimizer = torch.optim.Adam(self.model.parameters(), cfg.lr)

    def run(self, returns):
        for it in range(self.cfg.iterations):
            start = (it * self.cfg.block) % (len(returns) - self.cfg.block)
            nll = self.model(returns[start:start + self.cfg.block])
            scaled = self.scale(nll)
            self.optimizer.zero_grad()
            scaled.backward(retain_graph=True)
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            if it % 15 == 14:
                print(f"{it + 1:3d}  nll {nll.item():.4f}  scale {float(self.scale.value.detach()):.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(31)
    config = GarchConfig()
    fit = BlockFit(config)
    fit.run(simulate(600, config.assets))
    print("beta", [round(b, 3) for b in fit.model.beta_raw.sigmoid().tolist()])
