# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast
# first-bad: 1
# after: MAML-style / online hypergradient loop, "only loss.backward(retain_graph=True) can run" (quark0/darts #56)
"""Online learning of per-tensor step sizes (thesis, chapter 4).

A small regressor follows a drifting target. Its weights are "fast" weights that are updated
functionally; the step sizes (log_lr) are meta-parameters trained by Adam on the loss of the
next query batch.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


@dataclass(frozen=True)
class Config:
    dim: int = 6
    hidden: int = 32
    batch: int = 48
    meta_lr: float = 2e-2
    init_lr: float = 0.05
    steps: int = 110
    drift: float = 0.03
    seed: int = 11


class DriftingTask:
    """y = sin(x.w) + noise, w walks on the sphere."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.g = torch.Generator().manual_seed(cfg.seed)
        self.w = F.normalize(torch.randn(cfg.dim, generator=self.g), dim=0)

    def tick(self) -> None:
        w = self.w + self.cfg.drift * torch.randn(self.cfg.dim, generator=self.g)
        self.w = F.normalize(w, dim=0)

    def batch(self) -> tuple[torch.Tensor, torch.Tensor]:
        x = torch.randn(self.cfg.batch, self.cfg.dim, generator=self.g)
        y = torch.sin(x @ self.w * math.pi / 2)
        return x, (y + 0.05 * torch.randn(self.cfg.batch, generator=self.g)).unsqueeze(1)


class Regressor(nn.Module):
    def __init__(self, dim: int, hidden: int) -> None:
        super().__init__()
        self.inp = nn.Linear(dim, hidden)
        self.mid = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.out(torch.tanh(self.mid(torch.tanh(self.inp(x)))))


class StepSizes(nn.Module):
    """One log step size for each tensor of the base network."""

    def __init__(self, names: list[str], init: float) -> None:
        super().__init__()
        self.keys = {n: n.replace(".", "__") for n in names}
        self.log_lr = nn.ParameterDict(
            {k: nn.Parameter(torch.tensor(math.log(init))) for k in self.keys.values()}
        )

    def __getitem__(self, name: str) -> torch.Tensor:
        return self.log_lr[self.keys[name]].exp()


class OnlineLearner:
    def __init__(self, cfg: Config) -> None:
        self.net = Regressor(cfg.dim, cfg.hidden)
        self.fast = {n: p.detach().clone() for n, p in self.net.named_parameters()}
        self.sizes = StepSizes(list(self.fast), cfg.init_lr)
        self.meta_opt = torch.optim.Adam(self.sizes.parameters(), lr=cfg.meta_lr)

    def loss(self, weights: dict[str, torch.Tensor], x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return F.mse_loss(functional_call(self.net, weights, (x,)), y)

    def adapt(self, x: torch.Tensor, y: torch.Tensor) -> None:
        leaves = {n: w.detach().requires_grad_() for n, w in self.fast.items()}
        grads = torch.autograd.grad(self.loss(leaves, x, y), list(leaves.values()))
        self.fast = {n: self.fast[n] - self.sizes[n] * g for n, g in zip(leaves, grads)}  # <- culprit

    def meta_step(self, x: torch.Tensor, y: torch.Tensor) -> float:
        self.meta_opt.zero_grad()
        query = self.loss(self.fast, x, y)
        query.backward(retain_graph=True)  # <- culprit
        self.meta_opt.step()
        return query.item()


def main() -> None:
    cfg = Config()
    torch.manual_seed(cfg.seed)
    task = DriftingTask(cfg)
    learner = OnlineLearner(cfg)
    smooth = None
    for step in range(cfg.steps):
        learner.adapt(*task.batch())
        value = learner.meta_step(*task.batch())
        smooth = value if smooth is None else 0.95 * smooth + 0.05 * value
        task.tick()
        if (step + 1) % 20 == 0:
            lrs = " ".join(f"{p.exp().item():.3f}" for p in learner.sizes.parameters())
            print(f"step {step + 1:4d}  query {value:.4f}  smooth {smooth:.4f}  lr {lrs}")


if __name__ == "__main__":
    main()
