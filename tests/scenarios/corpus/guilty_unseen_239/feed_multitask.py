# gradwatch-corpus: kind=graph-chain
# holder: self.mean_log_var | balancer.mean_log_var | trainer.balancer.mean_log_var
# first-bad: 1
"""Feed ranking: click, dwell and share heads with learned task uncertainties."""
from dataclasses import dataclass, field
from typing import Dict, List

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass
class FeedConfig:
    tasks: List[str] = field(default_factory=lambda: ["click", "dwell", "share"])
    in_dim: int = 20
    hidden: int = 48
    steps: int = 140
    batch: int = 64
    beta: float = 0.95
    spread_penalty: float = 0.05


class SharedBottom(nn.Module):
    def __init__(self, cfg: FeedConfig):
        super().__init__()
        self.bottom = nn.Sequential(nn.Linear(cfg.in_dim, cfg.hidden), nn.GELU(), nn.LayerNorm(cfg.hidden))
        self.towers = nn.ModuleDict({t: nn.Linear(cfg.hidden, 1) for t in cfg.tasks})

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        z = self.bottom(x)
        return {name: tower(z).squeeze(-1) for name, tower in self.towers.items()}


class UncertaintyBalancer(nn.Module):
    def __init__(self, cfg: FeedConfig):
        super().__init__()
        self.beta = cfg.beta
        self.spread_penalty = cfg.spread_penalty
        self.tasks = cfg.tasks
        self.log_var = nn.Parameter(torch.zeros(len(cfg.tasks)))
        self.mean_log_var = torch.zeros(len(cfg.tasks))

    def forward(self, losses: Dict[str, Tensor]) -> Tensor:
        stacked = torch.stack([losses[t] for t in self.tasks])
        weighted = (torch.exp(-self.log_var) * stacked + self.log_var).sum()
        self.mean_log_var = torch.lerp(self.mean_log_var, self.log_var, 1 - self.beta)  # <- culprit
        spread = (self.mean_log_var - self.mean_log_var.mean()).square().sum()
        return weighted + self.spread_penalty * spread


class FeedTrainer:
    def __init__(self, cfg: FeedConfig):
        self.cfg = cfg
        self.model = SharedBottom(cfg)
        self.balancer = UncertaintyBalancer(cfg)
        params = [*self.model.parameters(), *self.balancer.parameters()]
        self.opt = torch.optim.Adam(params, lr=3e-3)
        self.truth = {t: torch.randn(cfg.in_dim) for t in cfg.tasks}

    def batch(self):
        x = torch.randn(self.cfg.batch, self.cfg.in_dim)
        y = {}
        for scale, task in enumerate(self.cfg.tasks, start=1):
            y[task] = torch.sigmoid(x @ self.truth[task] / scale)
        return x, y

    def train(self):
        for step in range(self.cfg.steps):
            x, y = self.batch()
            out = self.model(x)
            losses = {t: F.binary_cross_entropy_with_logits(out[t], y[t]) for t in self.cfg.tasks}
            objective = self.balancer(losses)
            self.opt.zero_grad()
            objective.backward()
            self.opt.step()
            if step % 35 == 0:
                parts = " ".join(f"{t}={v.item():.3f}" for t, v in losses.items())
                print(f"[{step:03d}] total={objective.item():.3f} {parts}")


if __name__ == "__main__":
    torch.manual_seed(9)
    trainer = FeedTrainer(FeedConfig())
    trainer.train()
