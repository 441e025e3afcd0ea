# gradwatch-corpus: kind=none
"""Second-order MAML for grasp-force regression across gripper pads."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Mapping, NamedTuple

import torch
from torch import Tensor, nn
from torch.func import functional_call

Params = Mapping[str, Tensor]


class Task(NamedTuple):
    support: tuple[Tensor, Tensor]
    query: tuple[Tensor, Tensor]


@dataclass
class MetaConfig:
    tasks_per_step: int = 3
    shots: int = 10
    inner_lr: float = 0.05
    inner_steps: int = 2
    outer_lr: float = 1e-3
    meta_steps: int = 80


class ForceModel(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


class PadFamily:
    """Each pad has its own stiffness and friction."""

    def __init__(self, cfg: MetaConfig) -> None:
        self.cfg = cfg

    def _draw(self, stiffness: float, friction: float) -> tuple[Tensor, Tensor]:
        x = torch.rand(self.cfg.shots, 3) * 2 - 1
        y = stiffness * x[:, :1].clamp_min(0) + friction * x[:, 1:2] * x[:, 2:]
        return x, y

    def __iter__(self) -> Iterator[Task]:
        while True:
            stiffness = 0.5 + 2 * torch.rand(()).item()
            friction = torch.rand(()).item()
            yield Task(self._draw(stiffness, friction), self._draw(stiffness, friction))


class Adapter:
    def __init__(self, model: nn.Module, cfg: MetaConfig) -> None:
        self.model = model
        self.cfg = cfg
        self.fast: Params = {}

    def loss(self, params: Params, data: tuple[Tensor, Tensor]) -> Tensor:
        x, y = data
        return nn.functional.mse_loss(functional_call(self.model, dict(params), (x,)), y)

    def adapt(self, task: Task) -> Tensor:
        self.fast = dict(self.model.named_parameters())
        for _ in range(self.cfg.inner_steps):
            inner = self.loss(self.fast, task.support)
            grads = torch.autograd.grad(inner, list(self.fast.values()), create_graph=True)
            self.fast = {k: p - self.cfg.inner_lr * g for (k, p), g in zip(self.fast.items(), grads)}
        return self.loss(self.fast, task.query)


def main() -> None:
    torch.manual_seed(14)
    cfg = MetaConfig()
    model = ForceModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.outer_lr)
    adapter = Adapter(model, cfg)
    stream = iter(PadFamily(cfg))
    curve: list[float] = []
    for step in range(cfg.meta_steps):
        optimizer.zero_grad()
        total = 0.0
        for _ in range(cfg.tasks_per_step):
            query_loss = adapter.adapt(next(stream)) / cfg.tasks_per_step
            query_loss.backward()
            total += query_loss.item()
        optimizer.step()
        curve.append(total)
        if step % 20 == 0:
            print(f"meta step {step} query {total:.4f}")
    print(f"mean of last ten {sum(curve[-10:]) / 10:.4f}")


if __name__ == "__main__":
    main()
