# gradwatch-corpus: kind=none
"""Wind turbine power curve: two heads on one trunk, balanced by gradient norms, with curvature probes."""
import math
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import NamedTuple

import torch
from torch import nn


class Weather(NamedTuple):
    x: torch.Tensor
    power: torch.Tensor
    icing: torch.Tensor


@dataclass(frozen=True)
class Plant:
    seed: int = 90
    inputs: int = 8
    width: int = 18
    steps: int = 330
    batch: int = 30
    lr: float = 3e-3
    probe_every: int = 5


class IcyBatch(Exception):
    def __init__(self, step, share):
        super().__init__(f"step {step}: share of iced rows {share:.2f}")


def tolerant(method):
    @wraps(method)
    def inner(self, step, batch):
        try:
            return method(self, step, batch)
        except IcyBatch as err:
            self.notes.append(str(err))
            return None
    return inner


class Balancer:
    """Weights the two losses by running norms of their trunk gradients."""

    def __init__(self):
        self.norms = [1.0, 1.0]
        self.history = []

    def observe(self, index, grads):
        norm = math.sqrt(sum(g.pow(2).sum().item() for g in grads))
        self.norms[index] = 0.9 * self.norms[index] + 0.1 * norm

    @property
    def weights(self):
        mean = sum(self.norms) / 2
        pair = tuple(mean / (n + 1e-6) for n in self.norms)
        self.history.append(pair)
        return pair


class TurbineTrainer:
    def __init__(self, plant):
        self.p = plant
        self.trunk = nn.Sequential(nn.Linear(plant.inputs, plant.width), nn.Tanh())
        self.power, self.icing = nn.Linear(plant.width, 1), nn.Linear(plant.width, 1)
        self.params = [*self.trunk.parameters(), *self.power.parameters(), *self.icing.parameters()]
        self.opt = torch.optim.SGD(self.params, lr=plant.lr, momentum=0.9)
        self.balancer, self.notes, self.curvature = Balancer(), [], []

    def losses(self, b):
        h = self.trunk(b.x)
        return (nn.functional.mse_loss(self.power(h).squeeze(-1), b.power),
                nn.functional.binary_cross_entropy_with_logits(self.icing(h).squeeze(-1), b.icing))

    @contextmanager
    def updating(self):
        self.opt.zero_grad()
        yield
        nn.utils.clip_grad_norm_(self.params, 5.0)
        self.opt.step()

    def probe(self, b):
        loss = sum(self.losses(b))
        trunk = list(self.trunk.parameters())
        grads = torch.autograd.grad(loss, trunk, create_graph=True)
        vs = [torch.randn_like(p) for p in trunk]
        hv = torch.autograd.grad(sum((g * v).sum() for g, v in zip(grads, vs)), trunk)
        self.curvature.append(sum((h * v).sum() for h, v in zip(hv, vs)))

    @tolerant
    def step(self, step, b):
        parts = self.losses(b)
        share = b.icing.mean().item()
        if share > 0.75:
            raise IcyBatch(step, share)
        for i, part in enumerate(parts):
            self.balancer.observe(i, torch.autograd.grad(part, self.trunk.parameters(), retain_graph=True))
        first, second = self.balancer.weights
        with self.updating():
            (first * parts[0]).backward(retain_graph=True)
            (second * parts[1]).backward()
        if step % self.p.probe_every == 0:
            self.probe(b)
        return parts[0].item(), parts[1].item()

    def weather(self):
        gen = torch.Generator().manual_seed(self.p.seed)
        w = torch.randn(self.p.inputs, generator=gen)
        for i in range(self.p.steps):
            x = torch.randn(self.p.batch, self.p.inputs, generator=gen)
            cold = 2.5 if i % 37 == 36 else 0.0
            yield Weather(x, torch.sigmoid(x @ w), (x[:, 0] - x[:, 1] + cold > 0).float())

    def fit(self):
        for i, b in enumerate(self.weather()):
            out = self.step(i, b)
            if out and i % 66 == 0:
                print(f"{i:3d} power {out[0]:.4f} icing {out[1]:.4f}")
        curve = torch.stack(self.curvature)
        print("curvature", curve[:10].mean().item(), "->", curve[-10:].mean().item())
        print(len(self.notes), "batches passed over; weights", self.balancer.history[-1])


if __name__ == "__main__":
    torch.set_num_threads(1)
    plant = Plant()
    torch.manual_seed(plant.seed)
    TurbineTrainer(plant).fit()
