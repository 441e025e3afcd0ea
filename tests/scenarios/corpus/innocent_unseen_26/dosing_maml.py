# gradwatch-corpus: kind=none
"""Second-order MAML for drug concentration curves: each meta-batch differentiates through the inner updates,
the losses of its tasks are kept with graph until their sum is used once. The three best initialisations and
the moving average of the weights are kept."""
import csv
import heapq
import io
import itertools
from typing import Callable, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class Patient(NamedTuple):
    ka: float
    ke: float
    volume: float


class Record(NamedTuple):
    step: int
    outer: float
    inner_first: float
    inner_last: float


def concentration(p: Patient, t):
    return p.ka / (p.volume * (p.ka - p.ke)) * (torch.exp(-p.ke * t) - torch.exp(-p.ka * t))


def patients(gen):
    while True:
        u = torch.rand(3, generator=gen).tolist()
        yield Patient(1.0 + u[0], 0.1 + 0.3 * u[1], 0.5 + u[2])


def draw(p, n, gen):
    t = 10 * torch.rand(n, 1, generator=gen)
    return t / 10, concentration(p, t) + 0.02 * torch.randn(n, 1, generator=gen)


def inner(model: nn.Module, support, steps: int, lr: float, watch: Callable[[float], None]):
    weights = dict(model.named_parameters())
    for _ in range(steps):
        loss = F.mse_loss(functional_call(model, weights, (support[0],)), support[1])
        grads = torch.autograd.grad(loss, weights.values(), create_graph=True)
        weights = {k: w - lr * g for (k, w), g in zip(weights.items(), grads)}
        watch(loss.item())
    return weights


class Best:
    """The n best states; a heap of (negative loss, tie, state)."""

    def __init__(self, n=3):
        self.n, self.heap, self.tie = n, [], itertools.count()

    def offer(self, loss, model):
        item = (-loss, next(self.tie), {k: v.clone() for k, v in model.state_dict().items()})
        (heapq.heappush if len(self.heap) < self.n else heapq.heappushpop)(self.heap, item)


def main(meta_steps=80, tasks=4):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    model = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.95))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    best, records, people = Best(), [], patients(gen)
    for step in range(meta_steps):
        outer, seen = [], []
        for p in itertools.islice(people, tasks):
            weights = inner(model, draw(p, 10, gen), 3, 0.1, seen.append)
            x, y = draw(p, 20, gen)
            outer.append(F.mse_loss(functional_call(model, weights, (x,)), y))
        loss = torch.stack(outer).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update_parameters(model)
        best.offer(loss.item(), model)
        records.append(Record(step, loss.item(), seen[0], seen[-1]))
    out = io.StringIO()
    csv.writer(out).writerows(records[::20])
    print(out.getvalue(), [round(-b[0], 4) for b in best.heap])


if __name__ == "__main__":
    main()
