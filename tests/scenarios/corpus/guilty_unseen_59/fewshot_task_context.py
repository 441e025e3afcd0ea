# gradwatch-corpus: kind=second-backward
# holder: contexts | plan.contexts | context
# first-bad: 4
# notice: 0
"""Few-shot regression conditioned on a task context (CNAPs flavoured).

The support sets of a meta-batch have equal size, so the context network sees
them stacked in one call.  Query losses are handled one task after another and
their gradients accumulate, which keeps the peak memory of large query sets low.
The number of tasks per meta-batch follows a ramp.
"""
import argparse
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Task:
    support_x: torch.Tensor
    support_y: torch.Tensor
    query_x: torch.Tensor
    query_y: torch.Tensor


@dataclass
class MetaPlan:
    tasks: list
    contexts: torch.Tensor = None
    losses: list = field(default_factory=list)


class SinusoidFamily:
    def __init__(self, shots, queries, seed):
        self.shots, self.queries = shots, queries
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self):
        amp = 0.5 + 2 * torch.rand(1, generator=self.gen)
        phase = 3.1 * torch.rand(1, generator=self.gen)
        x = 8 * torch.rand(self.shots + self.queries, 1, generator=self.gen) - 4
        y = amp * torch.sin(x + phase)
        s = self.shots
        return Task(x[:s], y[:s], x[s:], y[s:])


class ContextNet(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.point = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.out = nn.Linear(32, dim)

    def forward(self, x, y):
        return self.out(self.point(torch.cat([x, y], -1)).mean(-2))


class FilmRegressor(nn.Module):
    def __init__(self, dim, width=40):
        super().__init__()
        self.inp = nn.Linear(1, width)
        self.film = nn.Linear(dim, 2 * width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x, context):
        gamma, beta = self.film(context).chunk(2, -1)
        h = torch.relu(self.inp(x)) * (1 + gamma) + beta
        return self.out(torch.relu(self.mid(h)))


class TaskAccumulationMixin:
    """Adds each task's gradient to the running sum."""

    def accumulate(self, plan):
        n = len(plan.tasks)
        for task, context in zip(plan.tasks, plan.contexts):
            pred = self.regressor(task.query_x, context)
            loss = F.mse_loss(pred, task.query_y) / n
            loss.backward()  # <- culprit
            plan.losses.append(loss.item())


class MetaTrainer(TaskAccumulationMixin):
    def __init__(self, family, dim, lr, max_tasks, ramp):
        self.family = family
        self.context = ContextNet(dim)
        self.regressor = FilmRegressor(dim)
        self.max_tasks, self.ramp = max_tasks, ramp
        params = list(self.context.parameters()) + list(self.regressor.parameters())
        self.optimizer = torch.optim.Adam(params, lr=lr)

    def tasks_at(self, step):
        return min(self.max_tasks, 1 + step // self.ramp)

    def plan(self, step):
        tasks = [self.family.draw() for _ in range(self.tasks_at(step))]
        xs = torch.stack([t.support_x for t in tasks])
        ys = torch.stack([t.support_y for t in tasks])
        contexts = self.context(xs, ys)  # <- culprit
        return MetaPlan(tasks, contexts)

    def step(self, step):
        self.optimizer.zero_grad()
        plan = self.plan(step)
        self.accumulate(plan)
        self.optimizer.step()
        return sum(plan.losses)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--max-tasks", type=int, default=8)
    ap.add_argument("--ramp", type=int, default=4)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(3)
    trainer = MetaTrainer(SinusoidFamily(6, 20, 5), 12, 1e-3, args.max_tasks, args.ramp)
    for step in range(args.steps):
        value = trainer.step(step)
        print(f"meta-step {step:3d}  tasks {trainer.tasks_at(step)}  query mse {value:.4f}")


if __name__ == "__main__":
    main()
