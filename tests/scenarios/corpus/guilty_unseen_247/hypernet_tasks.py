# gradwatch-corpus: kind=second-backward
# holder: memo | memo[task_id] | weights_for | weights
# first-bad: 6
"""A hypernetwork writes the weights of a small regressor from a task embedding (random ODE families)."""
import math
import random

import torch
import torch.nn.functional as F
from torch import nn


SHAPES = {"w0": (24, 2), "b0": (24,), "w1": (24, 24), "b1": (24,), "w2": (1, 24), "b2": (1,)}


def numel(shape):
    return math.prod(shape)


class HyperNet(nn.Module):
    def __init__(self, n_tasks, emb=12, hidden=48):
        super().__init__()
        self.task = nn.Embedding(n_tasks, emb)
        self.body = nn.Sequential(nn.Linear(emb, hidden), nn.ReLU())
        self.heads = nn.ModuleDict({k: nn.Linear(hidden, numel(s)) for k, s in SHAPES.items()})

    def forward(self, task_id):
        h = self.body(self.task(torch.tensor(task_id)))
        return {k: 0.3 * self.heads[k](h).view(SHAPES[k]) for k in SHAPES}


def memoised(hyper):
    memo = {}

    def weights_for(task_id):
        if task_id not in memo:
            memo[task_id] = hyper(task_id)  # <- culprit
        return memo[task_id]

    return weights_for


def regress(weights, inputs):
    h = torch.sin(F.linear(inputs, weights["w0"], weights["b0"]))
    h = torch.relu(F.linear(h, weights["w1"], weights["b1"]))
    return F.linear(h, weights["w2"], weights["b2"])


def damped_oscillator(task_id, n):
    gamma = 0.1 + 0.05 * task_id
    omega = 1.0 + 0.3 * task_id
    t = torch.rand(n, 1) * 6
    amp = torch.rand(n, 1)
    target = amp * torch.exp(-gamma * t) * torch.cos(omega * t)
    return torch.cat([t / 6, amp], 1), target


def curriculum(n_tasks, length, seed):
    rng = random.Random(seed)
    first = list(range(n_tasks))
    rng.shuffle(first)
    rest = [rng.randrange(n_tasks) for _ in range(length - n_tasks)]
    return first + rest


def main():
    torch.manual_seed(23)
    n_tasks = 6
    hyper = HyperNet(n_tasks)
    opt = torch.optim.SGD(hyper.parameters(), lr=0.02)
    weights_for = memoised(hyper)
    errors = dict.fromkeys(range(n_tasks), float("nan"))
    for it, task_id in enumerate(curriculum(n_tasks, 100, seed=4)):
        x, y = damped_oscillator(task_id, 64)
        weights = weights_for(task_id)  # <- culprit
        loss = F.smooth_l1_loss(regress(weights, x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        errors[task_id] = loss.item()
        if it % 5 == 0:
            print(it, {k: round(v, 3) for k, v in errors.items()})


if __name__ == "__main__":
    main()
