# gradwatch-corpus: kind=none
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor, as_completed

import torch
import torch.nn.functional as F
from torch import nn


class Shared(nn.Module):
    def __init__(self, dim=20, width=40, tasks=("sum", "max", "spread")):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.Tanh())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in tasks})

    def forward(self, x, task):
        return self.heads[task](self.trunk(x)).squeeze(-1)


TARGETS = OrderedDict(
    sum=lambda x: x.sum(-1) / 4,
    max=lambda x: x.amax(-1),
    spread=lambda x: x.std(-1),
)


class LossBoard:
    """Losses of the step, put in by the pool's threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.losses = {}
        self.means = {}

    def post(self, task, loss):
        with self.lock:
            self.losses[task] = loss
            old = self.means.get(task, loss.item())
            self.means[task] = 0.95 * old + 0.05 * loss.item()

    def collect(self):
        with self.lock:
            out, self.losses = self.losses, {}
        return out


def task_loss(model, board, task, x):
    loss = F.mse_loss(model(x, task), TARGETS[task](x))
    board.post(task, loss)
    return task


def main(steps=110):
    torch.manual_seed(6)
    model = Shared()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    board = LossBoard()
    order = []
    with ThreadPoolExecutor(max_workers=2, thread_name_prefix="task") as pool:
        for step in range(steps):
            futures = []
            for task in TARGETS:
                x = torch.randn(32, 20)
                futures.append(pool.submit(task_loss, model, board, task, x))
            order.append(tuple(f.result() for f in as_completed(futures)))
            losses = board.collect()
            total = sum(losses[t] for t in TARGETS)
            opt.zero_grad()
            total.backward()
            opt.step()
            if step % 22 == 0:
                print(step, " ".join(f"{t} {board.means[t]:.4f}" for t in TARGETS))
    print("steps:", len(order), "tasks:", sorted(set(sum(order, ()))))


if __name__ == "__main__":
    main()
