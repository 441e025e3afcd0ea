# gradwatch-corpus: kind=none
"""Meta-learned leg dynamics: a few gradient steps adapt the model to a new payload."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Callable

import torch
from torch import Tensor, nn
from torch.func import functional_call

Params = dict[str, Tensor]
LossFn = Callable[[Params, Tensor, Tensor], Tensor]


@dataclass(frozen=True)
class MetaConfig:
    tasks: int = 4
    shots: int = 12
    inner_steps: int = 3
    outer_steps: int = 80
    outer_lr: float = 2e-3
    hidden: int = 48


@dataclass
class Payload:
    mass: float
    damping: float

    def data(self, n: int, gen: torch.Generator) -> tuple[Tensor, Tensor]:
        x = torch.randn(n, 4, generator=gen)
        q, dq = x[:, 0], x[:, 1]
        hip = (x[:, 2] - self.damping * dq - 2.0 * q.sin()) / self.mass
        knee = (x[:, 3] - self.damping * dq + q.cos()) / self.mass
        return x, torch.stack([hip, knee], dim=-1)


class LegModel(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)


def make_loss(model: nn.Module) -> LossFn:
    def loss(params: Params, x: Tensor, y: Tensor) -> Tensor:
        return nn.functional.mse_loss(functional_call(model, params, (x,)), y)

    return loss


def adapt(loss_fn: LossFn, start: Params, log_rates: Tensor, x: Tensor, y: Tensor) -> tuple[Params, list[float]]:
    fast = dict(start)
    trace: list[float] = []
    for rate in log_rates.exp():
        loss = loss_fn(fast, x, y)
        grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=True)
        fast = {name: p - rate * g for (name, p), g in zip(fast.items(), grads)}
        trace.append(loss.item())
    return fast, trace


def main() -> None:
    torch.manual_seed(14)
    cfg = MetaConfig()
    gen = torch.Generator().manual_seed(15)
    model = LegModel(cfg.hidden)
    loss_fn = make_loss(model)
    log_rates = nn.Parameter(torch.full((cfg.inner_steps,), -2.5))
    optim = torch.optim.Adam([*model.parameters(), log_rates], lr=cfg.outer_lr)
    last_fast: Params = {}
    recent: deque[float] = deque(maxlen=10)

    for step in range(cfg.outer_steps):
        start = dict(model.named_parameters())
        query = torch.zeros(())
        for _ in range(cfg.tasks):
            mass, damping = (0.5 + torch.rand(2, generator=gen)).tolist()
            payload = Payload(mass, damping)
            fast, trace = adapt(loss_fn, start, log_rates, *payload.data(cfg.shots, gen))
            query = query + loss_fn(fast, *payload.data(cfg.shots, gen)) / cfg.tasks
        optim.zero_grad()
        query.backward()
        optim.step()
        last_fast = {name: p.detach() for name, p in fast.items()}
        recent.append(query.item())
        if step % 16 == 15:
            moved = sum((last_fast[n] - p.detach()).norm().item() for n, p in model.named_parameters())
            print(f"{step + 1:3d}  query {sum(recent) / len(recent):.4f}  inner {trace[0]:.3f}->{trace[-1]:.3f}  moved {moved:.3f}")


if __name__ == "__main__":
    main()
