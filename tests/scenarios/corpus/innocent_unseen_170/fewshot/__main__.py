# gradwatch-corpus: kind=none
"""Meta-SGD on sine tasks: second order, several tasks per update, losses of all inner steps take part."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from .inner import Adapter


class Sines:
    def __init__(self, seed=120):
        self.gen = torch.Generator().manual_seed(seed)

    def task(self, shots=10):
        amp = 0.5 + 2 * torch.rand(1, generator=self.gen)
        phase = math.pi * torch.rand(1, generator=self.gen)
        x = 8 * torch.rand(2 * shots, 1, generator=self.gen) - 4
        y = amp * torch.sin(x + phase)
        return x[:shots], y[:shots], x[shots:], y[shots:]


class MetaTrainer:
    def __init__(self, tasks=3):
        net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
        self.adapter = Adapter(net)
        self.opt = torch.optim.Adam(self.adapter.parameters(), lr=2e-3)
        self.tasks = tasks
        self.smooth = None

    def task_loss(self, xs, ys, xq, yq):
        self.adapter.reset()
        trace = self.adapter.adapt(xs, ys, F.mse_loss)
        query = F.mse_loss(self.adapter.predict(xq), yq)
        return query + 0.1 * torch.stack(trace).mean(), query.item()

    def step(self, source):
        total, queries = 0.0, []
        for _ in range(self.tasks):
            loss, query = self.task_loss(*source.task())
            total = total + loss
            queries.append(query)
        self.opt.zero_grad()
        (total / self.tasks).backward()
        nn.utils.clip_grad_norm_(self.adapter.parameters(), 5.0)
        self.opt.step()
        mean = sum(queries) / len(queries)
        self.smooth = mean if self.smooth is None else 0.95 * self.smooth + 0.05 * mean
        return mean


def main():
    torch.manual_seed(121)
    torch.set_num_threads(1)
    source = Sines()
    trainer = MetaTrainer()
    for it in range(110):
        query = trainer.step(source)
        if it % 20 == 0:
            print(f"{it:3d} query {query:.4f} smooth {trainer.smooth:.4f}")


if __name__ == "__main__":
    main()
