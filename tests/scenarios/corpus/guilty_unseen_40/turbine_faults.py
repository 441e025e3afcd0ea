# gradwatch-corpus: kind=inplace-modified
# first-bad: 9
import argparse
from collections import defaultdict

import torch
from torch import nn

HOOKS = defaultdict(list)


def register_hook(point, every=1):
    def deco(fn):
        HOOKS[point].append((every, fn))
        return fn
    return deco


def fire(point, runner):
    for every, fn in HOOKS[point]:
        if runner.n_done % every == every - 1:
            fn(runner)


class MaxNormMixin:
    """Keeps the incoming weight vector of every unit inside a ball."""

    max_norm = 0.9

    @torch.no_grad()
    def constrain(self):
        for mod in self.modules():
            if isinstance(mod, nn.Linear):
                norms = mod.weight.norm(dim=1, keepdim=True)
                scale = (self.max_norm / norms.clamp(min=1e-8)).clamp(max=1.0)
                mod.weight.mul_(scale)  # <- culprit


class FaultNet(MaxNormMixin, nn.Module):
    def __init__(self, n_sensors, n_faults, width=40):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_sensors, width), nn.LeakyReLU(0.1),
            nn.Linear(width, width), nn.LeakyReLU(0.1))
        self.out = nn.Linear(width, n_faults)

    def forward(self, x):
        return self.out(self.body(x))


@register_hook("after_forward", every=10)  # <- culprit
def apply_max_norm(runner):
    runner.net.constrain()  # <- culprit


@register_hook("after_step", every=5)
def chat(runner):
    print(f"{runner.n_done + 1:4d}  loss {runner.loss.item():.4f}")


class Runner:
    def __init__(self, net, lr):
        self.net = net
        self.optim = torch.optim.RMSprop(net.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()
        self.n_done = 0
        self.loss = None

    def forward_pass(self, x, y):
        self.loss = self.criterion(self.net(x), y)
        fire("after_forward", self)  # <- culprit

    def backward_pass(self):
        self.optim.zero_grad()
        self.loss.backward()
        self.optim.step()
        fire("after_step", self)

    def run(self, source):
        for x, y in source:
            self.forward_pass(x, y)
            self.backward_pass()
            self.n_done += 1


def vibration_batches(n, size, n_sensors, n_faults):
    centres = torch.randn(n_faults, n_sensors)
    for _ in range(n):
        y = torch.randint(0, n_faults, (size,))
        yield centres[y] + 0.8 * torch.randn(size, n_sensors), y


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--sensors", type=int, default=16)
    ap.add_argument("--faults", type=int, default=6)
    ap.add_argument("--lr", type=float, default=1e-3)
    ns = ap.parse_args()
    torch.manual_seed(31)
    runner = Runner(FaultNet(ns.sensors, ns.faults), ns.lr)
    runner.run(vibration_batches(ns.steps, 32, ns.sensors, ns.faults))
