# gradwatch-corpus: kind=none
"""Gradient surgery for two tasks; a look-ahead of three batches is kept open between the feeder and the learner."""
import itertools
from contextlib import ExitStack

import torch
import torch.nn as nn
import torch.nn.functional as F


class Shared(nn.Module):
    def __init__(self, dim=28, width=40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.sign = nn.Linear(width, 2)
        self.size = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.sign(h), self.size(h).squeeze(-1)


def feed(seed=130):
    gen = torch.Generator().manual_seed(seed)
    w = torch.randn(28, generator=gen) / 5
    while True:
        x = torch.randn(48, 28, generator=gen)
        v = x @ w
        yield x, (v > 0).long(), v.abs()


class Lookahead:
    """Yields a batch and the mean input of the batches to come."""

    def __init__(self, stream, ahead=3):
        self.now, self.later = itertools.tee(stream)
        for _ in range(ahead):
            next(self.later)

    def __iter__(self):
        for batch, future in zip(self.now, self.later):
            yield batch, future[0].mean(0)


class Surgery:
    def __init__(self, params):
        self.params = list(params)

    def gradients(self, losses):
        for i, loss in enumerate(losses):
            last = i == len(losses) - 1
            grads = torch.autograd.grad(loss, self.params, retain_graph=not last, allow_unused=True)
            yield torch.cat([
                (torch.zeros_like(p) if g is None else g).flatten() for p, g in zip(self.params, grads)
            ])

    def combine(self, losses):
        a, b = self.gradients(losses)
        dot = a @ b
        if dot < 0:
            a, b = a - dot / (b @ b) * b, b - dot / (a @ a) * a
        flat = a + b
        at = 0
        for p in self.params:
            p.grad = flat[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        return dot.item() < 0


def main():
    torch.manual_seed(131)
    torch.set_num_threads(1)
    net = Shared()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    surgery = Surgery(net.parameters())
    lines = []
    conflicts = 0
    with ExitStack() as report:
        for it, ((x, sign, size), drift) in enumerate(itertools.islice(Lookahead(feed()), 130)):
            a, b = net(x - 0.1 * drift)
            losses = [F.cross_entropy(a, sign), F.mse_loss(b, size)]
            conflicts += surgery.combine(losses)
            opt.step()
            values = [loss.item() for loss in losses]
            report.callback(lines.append, "{:d} {:.4f} {:.4f}".format(it, *values))
            if it % 26 == 0:
                print(it, values, "conflicts", conflicts)
    print(len(lines), lines[0])


if __name__ == "__main__":
    main()
