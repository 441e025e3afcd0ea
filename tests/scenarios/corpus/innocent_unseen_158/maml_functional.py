# gradwatch-corpus: kind=none
"""Few-shot sine regression: fast weights with torch.func, second order, tasks under vmap."""
from collections import OrderedDict
from functools import partial, singledispatch

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

torch.set_num_threads(1)
torch.manual_seed(7)


@singledispatch
def plain(value):
    return value


@plain.register
def _(value: torch.Tensor):
    return value.detach().mean().item()


@plain.register
def _(value: dict):
    return {k: plain(v) for k, v in value.items()}


class SineNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.rates = nn.ParameterDict({"inner": nn.Parameter(torch.tensor(-3.0))})

    def forward(self, x):
        return self.net(x)


def task_loss(net, params, x, y):
    return F.mse_loss(functional_call(net, params, (x,)), y)


def adapt(net, params, rate, x, y, steps=2):
    fast = params
    for _ in range(steps):
        slope = grad(partial(task_loss, net))(fast, x, y)
        fast = OrderedDict((k, p - rate * slope[k]) for k, p in fast.items())
    return fast


def adapted_loss(net, params, rate, xs, ys, xq, yq):
    fast = adapt(net, params, rate, xs, ys)
    return task_loss(net, fast, xq, yq)


def tasks(count, shots=10):
    amplitude = 0.5 + 2 * torch.rand(count, 1, 1)
    phase = 3 * torch.rand(count, 1, 1)
    x = 6 * torch.rand(count, 2 * shots, 1) - 3
    y = amplitude * torch.sin(x + phase)
    return x[:, :shots], y[:, :shots], x[:, shots:], y[:, shots:]


class MetaTrainer:
    def __init__(self):
        self.model = SineNet()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.first_fast = None
        self.log = []

    def step(self):
        params = dict(self.model.net.named_parameters())
        rate = self.model.rates["inner"].exp()
        inner = partial(adapted_loss, self.model.net, params, rate)
        per_task = vmap(inner)(*tasks(6))
        loss = per_task.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.log.append(plain({"loss": loss, "worst": per_task.max(), "rate": rate, "tasks": 6}))

    def probe(self):
        """Fast weights for one task, worked out one by one instead of under vmap."""
        xs, ys, xq, yq = (t[0] for t in tasks(1))
        params = {k: p.detach() for k, p in self.model.net.named_parameters()}
        self.first_fast = adapt(self.model.net, params, self.model.rates["inner"].detach().exp(), xs, ys)
        return task_loss(self.model.net, self.first_fast, xq, yq).item()


def main():
    trainer = MetaTrainer()
    for it in range(100):
        trainer.step()
        if it % 25 == 24:
            print(f"it {it + 1} {trainer.log[-1]} probe {trainer.probe():.4f}")


if __name__ == "__main__":
    main()
