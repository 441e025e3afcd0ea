# gradwatch-corpus: kind=graph-held
# holder: for_summary
# first-bad: 1
"""Tremor classification from wearables, written as a pipeline of generators:
batches -> training -> (progress, summary)."""
import itertools as it
import statistics
from collections import namedtuple

import torch
from torch import nn

Outcome = namedtuple("Outcome", "step loss wrong")


def wearers(seed, n=192, length=40):
    g = torch.Generator().manual_seed(seed)
    clock = torch.arange(length) / 10
    while True:
        ill = torch.randint(0, 2, (n,), generator=g)
        freq = 4 + 2 * ill + 0.5 * torch.randn(n, generator=g)
        sig = torch.sin(freq[:, None] * clock) + 0.4 * torch.randn(n, length, generator=g)
        yield sig, ill


def fitting(net, batches, lr):
    opt = torch.optim.RMSprop(net.parameters(), lr=lr)
    for step, (sig, ill) in enumerate(batches):
        out = net(sig)
        loss = nn.functional.cross_entropy(out, ill)
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield Outcome(step, loss, (out.argmax(1) != ill).float().mean())


def every(k, stream):
    return (o for o in stream if o.step % k == 0)


def main():
    torch.manual_seed(90)
    net = nn.Sequential(nn.Linear(40, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 2))
    outcomes = fitting(net, it.islice(wearers(90), 280), 1e-3)
    for_progress, for_summary = it.tee(outcomes)  # <- culprit
    for o in every(70, for_progress):
        print(f"step {o.step:3d} loss {o.loss.item():.4f} wrong {o.wrong.item():.2f}")
    wrongs = [o.wrong.item() for o in for_summary]
    print("median error, last 100 steps:", statistics.median(wrongs[-100:]))


main()
