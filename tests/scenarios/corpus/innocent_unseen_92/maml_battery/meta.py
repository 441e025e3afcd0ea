from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from curves import DischargeTasks, Task
from inner import InnerLoop, Params


@dataclass(frozen=True)
class MetaConfig:
    outer_steps: int
    inner_steps: int
    tasks_per_step: int
    first_order_until: int
    lr: float = 3e-3
    seed: int = 9


class MetaTrainer:
    def __init__(self, cfg: MetaConfig, tasks: DischargeTasks) -> None:
        self.cfg, self.tasks = cfg, tasks
        net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        self.inner = InnerLoop(net, cfg.inner_steps)
        self.opt = torch.optim.Adam(self.inner.parameters(), lr=cfg.lr)
        self.log: list[dict[str, float]] = []
        self.last_adapted: Params | None = None

    def task_loss(self, task: Task, second_order: bool) -> Tensor:
        self.last_adapted = self.inner.adapt(task.support, second_order)
        return self.inner.loss(self.last_adapted, task.query)

    @property
    def best(self) -> float:
        return min(row["loss"] for row in self.log)

    def train(self) -> None:
        for step in range(self.cfg.outer_steps):
            second = step >= self.cfg.first_order_until
            losses = [self.task_loss(self.tasks.sample(), second) for _ in range(self.cfg.tasks_per_step)]
            meta_loss = torch.stack(losses).mean()
            self.opt.zero_grad()
            meta_loss.backward()
            self.opt.step()
            self.log.append({"step": step, "loss": meta_loss.item()})
            if step % 100 == 0:
                print(f"{step} order {2 if second else 1} loss {meta_loss.item():.4f}")
