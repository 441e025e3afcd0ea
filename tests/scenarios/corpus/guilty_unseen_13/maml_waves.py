# gradwatch-corpus: kind=graph-held
# holder: self.archive | learner.archive | self.archive[-1].solution | learner.archive[-1].solution | TaskRecord.solution | record.solution
# first-bad: 1
"""MAML on a family of damped waves. Every adapted task is kept in an archive, from which
the probe at the end measures how adapted weights spread with the task's frequency."""
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.func import functional_call


@dataclass(frozen=True)
class Wave:
    amplitude: float
    freq: float
    damping: float

    def __call__(self, x):
        return self.amplitude * torch.sin(self.freq * x) * torch.exp(-self.damping * x.abs())


@dataclass
class TaskRecord:
    task: Wave
    solution: dict
    support_loss: float
    query_loss: float


class WaveFamily:
    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)

    def _uniform(self, lo, hi):
        return lo + (hi - lo) * torch.rand((), generator=self.rng).item()

    def draw(self):
        return Wave(self._uniform(0.5, 2.0), self._uniform(0.7, 2.5), self._uniform(0.0, 0.3))

    def batch(self, task, n):
        x = (torch.rand(n, 1, generator=self.rng) * 2 - 1) * math.pi
        return x, task(x)


class Regressor(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.body(x))


class MetaLearner:
    def __init__(self, net, inner_lr=0.05, inner_steps=2, outer_lr=2e-3):
        self.net = net
        self.inner_lr, self.inner_steps = inner_lr, inner_steps
        self.opt = torch.optim.Adam(net.parameters(), lr=outer_lr)
        self.archive: list[TaskRecord] = []

    def loss(self, weights, batch):
        x, y = batch
        return nn.functional.mse_loss(functional_call(self.net, weights, (x,)), y)

    def adapt(self, support):
        weights = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = self.loss(weights, support)
            grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            weights = {k: w - self.inner_lr * g for (k, w), g in zip(weights.items(), grads)}
        return weights, loss

    def meta_step(self, family, tasks_per_batch=2, shots=10):
        outer = 0.0
        self.opt.zero_grad()
        for _ in range(tasks_per_batch):
            task = family.draw()
            weights, support_loss = self.adapt(family.batch(task, shots))
            query_loss = self.loss(weights, family.batch(task, 2 * shots))
            (query_loss / tasks_per_batch).backward()
            self.remember(task, weights, support_loss.item(), query_loss.item())
            outer += query_loss.item() / tasks_per_batch
        self.opt.step()
        return outer

    def remember(self, task, weights, support_loss, query_loss):
        head = {k: w for k, w in weights.items() if k.startswith("head.")}  # <- culprit
        record = TaskRecord(task, head, support_loss, query_loss)  # <- culprit
        self.archive.append(record)  # <- culprit


@torch.no_grad()
def probe(archive, bins=4):
    """Mean distance of adapted heads from their bin's centre, by frequency."""
    ordered = sorted(archive, key=lambda r: r.task.freq)
    size = len(ordered) // bins
    for b in range(bins):
        chunk = ordered[b * size:(b + 1) * size]
        heads = torch.stack([r.solution["head.weight"].flatten() for r in chunk])
        spread = (heads - heads.mean(0)).norm(dim=1).mean().item()
        print(f"  freq {chunk[0].task.freq:.2f}-{chunk[-1].task.freq:.2f}: spread {spread:.4f}")


def main(meta_iterations=300):
    torch.manual_seed(3)
    family = WaveFamily(seed=3)
    learner = MetaLearner(Regressor())
    running = None
    for it in range(meta_iterations):
        outer = learner.meta_step(family)
        running = outer if running is None else 0.95 * running + 0.05 * outer
        if it % 75 == 0:
            print(f"meta-iteration {it}: query loss {running:.4f}")
    probe(learner.archive)


if __name__ == "__main__":
    main()
