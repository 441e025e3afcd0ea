# gradwatch-corpus: kind=none
"""Bird-call classifier; training yields progress to a live view and to a report that is read at the end."""
import functools
import itertools
from collections import namedtuple
from contextlib import ExitStack

import torch
from torch import nn

Progress = namedtuple("Progress", "step loss hits")
SPECIES = ("wren", "robin", "dunnock", "blackcap")


@functools.lru_cache(maxsize=None)
def template(k, bins=40):
    f = torch.linspace(0, 1, bins)
    return torch.exp(-((f - 0.15 - 0.2 * k) ** 2) / 0.01) + 0.5 * torch.sin(f * (6 + 4 * k)).abs()


@functools.lru_cache(maxsize=8)
def to_percent(loss, best=2.0):
    """Called by view and alarm alike; eight recent values are plenty."""
    return 100 * min(1.0, loss.item() / best)


def calls(n, gen):
    while True:
        y = torch.randint(len(SPECIES), (n,), generator=gen)
        x = torch.stack([template(int(k)) for k in y])
        yield x + 0.5 * torch.randn(x.shape, generator=gen), y


def fit(net, stream, steps):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    alarms = 0
    for step, (x, y) in enumerate(itertools.islice(stream, steps)):
        logits = net(x)
        loss = nn.functional.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        alarms += to_percent(loss) > 90
        if step % 75 == 0:
            print(f"{step:4d} at {to_percent(loss):.0f}% of the start, {alarms} alarms")
        yield Progress(step, loss.detach(), (logits.argmax(1) == y).sum().item())


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    net = nn.Sequential(nn.Linear(40, 20), nn.GELU(), nn.Linear(20, len(SPECIES)))
    live, later = itertools.tee(fit(net, calls(24, torch.Generator().manual_seed(2)), 375))
    with ExitStack() as stack:
        for p in live:
            if p.step % 125 == 124:
                stack.callback(print, "recap", p.step + 1, f"{p.loss.item():.4f}")
    curve = torch.stack([p.loss for p in later])
    print("by fifths:", " ".join(f"{v:.3f}" for v in curve.view(5, -1).mean(1).tolist()))


if __name__ == "__main__":
    main()
