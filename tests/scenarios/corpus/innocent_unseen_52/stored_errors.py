# gradwatch-corpus: kind=none
import itertools
from collections import UserList
from functools import partial, singledispatchmethod

import torch
from torch import nn


class BatchError(Exception):
    def __init__(self, step, reason):
        super().__init__(f"step {step}: {reason}")
        self.step = step


class TooConfident(BatchError):
    pass


class Outlier(BatchError):
    pass


class ErrorLog(UserList):
    """Every refused batch of the run."""

    def __init__(self):
        super().__init__()
        self.counts = {}

    def store(self, err):
        self.data.append(err.with_traceback(None))
        self.count(err)

    @singledispatchmethod
    def count(self, err):
        self.counts["other"] = self.counts.get("other", 0) + 1

    @count.register
    def _(self, err: Outlier):
        self.counts["outlier"] = self.counts.get("outlier", 0) + 1

    @count.register
    def _(self, err: TooConfident):
        self.counts["confident"] = self.counts.get("confident", 0) + 1


def check(step, x, logits):
    if x.abs().max() > 6:
        raise Outlier(step, f"input of size {x.abs().max().item():.1f}")
    if logits.softmax(-1).amax(-1).mean() > 0.97:
        raise TooConfident(step, "predictions are saturated")
    return logits


def batch_loss(net, step, x, y, smoothing=0.05):
    logits = check(step, x, net(x))
    return nn.functional.cross_entropy(logits, y, label_smoothing=smoothing)


def two_moons(seed, n=32):
    g = torch.Generator().manual_seed(seed)
    while True:
        y = torch.randint(0, 2, (n,), generator=g)
        t = torch.rand(n, generator=g) * 3.14
        x = torch.stack([torch.cos(t) + y, torch.sin(t) * (1 - 2 * y) + 0.3 * y], 1)
        x = x + 0.1 * torch.randn(n, 2, generator=g)
        if torch.rand((), generator=g) < 0.1:
            x[0] *= 20
        yield x, y


def main(wanted=100):
    torch.manual_seed(2)
    net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 2))
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    loss_of = partial(batch_loss, net, smoothing=0.1)
    errors = ErrorLog()
    done = 0
    for step, (x, y) in zip(itertools.count(), two_moons(23)):
        if done == wanted:
            break
        try:
            loss = loss_of(step, x, y)
        except BatchError as err:
            errors.store(err)
            continue
        opt.zero_grad()
        loss.backward()
        opt.step()
        done += 1
        if done % 25 == 0:
            print(f"{done:3d} done, {len(errors)} refused, loss {loss.item():.4f}")
    print(errors.counts, "| last:", errors[-1] if errors else None)


if __name__ == "__main__":
    main()
