# gradwatch-corpus: kind=second-backward
# first-bad: 30
"""Power curve of a turbine, trained with a loss scale as for half precision."""
import functools
import time
from collections import Counter
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

HALF_MAX = 65504.0


@dataclass
class LossScale:
    value: float = 2.0 ** 13
    grow_every: int = 10
    good: int = 0
    events: Counter = field(default_factory=Counter)

    def passed(self):
        self.good += 1
        if self.good % self.grow_every == 0:
            self.value *= 2
            self.events["grow"] += 1

    def halve(self):
        self.good = 0
        self.value /= 2
        self.events["halve"] += 1


class HalfRangeError(ArithmeticError):
    pass


def retry_scaled(tries):
    """On overflow lower the scale and do the pass again."""
    def deco(fn):
        @functools.wraps(fn)
        def wrapped(self, loss):
            for _ in range(tries):
                try:
                    return fn(self, loss)  # <- culprit
                except HalfRangeError:
                    self.opt.zero_grad()
                    self.scale.halve()
            raise RuntimeError("scale fell too often")
        return wrapped
    return deco


class Engine:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
        self.scale = LossScale()

    @retry_scaled(tries=3)  # <- culprit
    def backward(self, loss):
        (loss * self.scale.value).backward()  # <- culprit
        top = max(p.grad.abs().max().item() for p in self.net.parameters())
        if top > HALF_MAX:
            raise HalfRangeError(f"{top:.3g}")
        for p in self.net.parameters():
            p.grad.div_(self.scale.value)

    def train_step(self, wind, power):
        self.opt.zero_grad()
        loss = F.mse_loss(self.net(wind), power)
        try:
            self.backward(loss)
        except RuntimeError as err:
            self.scale.events["skipped"] += 1
            print(f"  step skipped at scale {self.scale.value:g}: {str(err)[:48]}")
            return loss.item()
        self.opt.step()
        self.scale.passed()
        return loss.item()


def turbine_days(n, size=64):
    for _ in range(n):
        wind = torch.rand(size, 3) * torch.tensor([20.0, 1.0, 1.0])
        speed = wind[:, :1]
        power = 6 * ((speed - 3) / 9).clamp(0, 1) ** 3 * (0.9 + 0.2 * wind[:, 1:2])
        yield wind / torch.tensor([10.0, 1.0, 1.0]), power


def main():
    torch.manual_seed(19)
    net = nn.Sequential(nn.Linear(3, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))
    engine = Engine(net, lr=0.01)
    began = time.monotonic()
    for i, (wind, power) in enumerate(turbine_days(160)):
        loss = engine.train_step(wind, power)
        if i % 20 == 0:
            print(f"step {i:3d} loss {loss:.4f} scale {engine.scale.value:g}")
    print(dict(engine.scale.events), f"{time.monotonic() - began:.1f}s")


if __name__ == "__main__":
    main()
