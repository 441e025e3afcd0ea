# gradwatch-corpus: kind=graph-chain
# holder: self.log_weights | balancer.log_weights | self.balancer.log_weights | engine.balancer.log_weights
# first-bad: 1
"""Multi-task heat pump twin: COP, supply temperature and compressor power."""
from dataclasses import dataclass, field
from typing import Dict, List, Protocol

import torch
import torch.nn as nn


@dataclass
class TwinConfig:
    sensors: int = 14
    width: int = 48
    heads: List[str] = field(default_factory=lambda: ["cop", "supply_temp", "power_kw"])
    batch_size: int = 64
    lr: float = 2e-3
    balance_lr: float = 0.04
    alpha: float = 0.9
    steps: int = 140


class Callback(Protocol):
    def on_step(self, step: int, scalars: Dict[str, float]) -> None: ...


class ConsoleCallback:
    def __init__(self, every: int) -> None:
        self.every = every

    def on_step(self, step: int, scalars: Dict[str, float]) -> None:
        if step % self.every == 0:
            print(f"[{step:04d}] " + " ".join(f"{k}={v:.3f}" for k, v in scalars.items()))


class PlantSimulator:
    def __init__(self, cfg: TwinConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.coef = torch.randn(cfg.sensors, len(cfg.heads), generator=self.gen)
        self.scale = torch.tensor([0.3, 4.0, 1.5])

    def sample(self):
        x = torch.randn(self.cfg.batch_size, self.cfg.sensors, generator=self.gen)
        y = torch.tanh(x @ self.coef * 0.4) * self.scale
        return x, y + 0.05 * torch.randn(y.shape, generator=self.gen)


class HeatPumpTwin(nn.Module):
    def __init__(self, cfg: TwinConfig) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(cfg.sensors, cfg.width),
            nn.SiLU(),
            nn.Linear(cfg.width, cfg.width),
            nn.SiLU(),
        )
        self.heads = nn.ModuleDict({name: nn.Linear(cfg.width, 1) for name in cfg.heads})

    def forward(self, x):
        z = self.trunk(x)
        return torch.cat([head(z) for head in self.heads.values()], dim=1)

    def shared_weight(self) -> torch.Tensor:
        return self.trunk[2].weight


class GradBalancer:
    def __init__(self, n_tasks: int, lr: float, alpha: float) -> None:
        self.log_weights = torch.zeros(n_tasks, requires_grad=True)
        self.lr = lr
        self.alpha = alpha
        self.reference = None

    def combine(self, losses: torch.Tensor) -> torch.Tensor:
        return (self.log_weights.exp() * losses).sum()

    def measure(self, losses: torch.Tensor, shared: torch.Tensor) -> torch.Tensor:
        norms = []
        for task_loss in losses.unbind():
            (g,) = torch.autograd.grad(task_loss, shared, retain_graph=True)
            norms.append(g.norm())
        return torch.stack(norms)

    def rebalance(self, losses: torch.Tensor, norms: torch.Tensor) -> None:
        current = losses.detach()
        if self.reference is None:
            self.reference = current.clone()
        pace = current / self.reference
        pace = pace / pace.mean()
        weighted = self.log_weights.exp() * norms
        goal = weighted.mean().detach() * pace.pow(self.alpha)
        gap = (weighted - goal).abs().sum()
        (slope,) = torch.autograd.grad(gap, self.log_weights)
        moved = self.log_weights - self.lr * slope.clamp(-1.0, 1.0)  # <- culprit
        self.log_weights = moved - moved.mean()  # <- culprit


class TwinEngine:
    def __init__(self, cfg: TwinConfig, callbacks: List[Callback]) -> None:
        self.cfg = cfg
        self.model = HeatPumpTwin(cfg)
        self.optim = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.balancer = GradBalancer(len(cfg.heads), cfg.balance_lr, cfg.alpha)
        self.callbacks = callbacks

    def run(self, plant: PlantSimulator) -> None:
        for step in range(self.cfg.steps):
            x, y = plant.sample()
            losses = (self.model(x) - y).pow(2).mean(dim=0)
            norms = self.balancer.measure(losses, self.model.shared_weight())
            total = self.balancer.combine(losses)
            self.optim.zero_grad(set_to_none=True)
            total.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            self.optim.step()
            self.balancer.rebalance(losses, norms)
            scalars = dict(zip(self.cfg.heads, losses.tolist()))
            scalars["total"] = total.item()
            for cb in self.callbacks:
                cb.on_step(step, scalars)


if __name__ == "__main__":
    torch.manual_seed(52)
    config = TwinConfig()
    engine = TwinEngine(config, [ConsoleCallback(every=20)])
    engine.run(PlantSimulator(config, seed=53))
