# gradwatch-corpus: kind=inplace-modified
# holder: head.weight | net.head.weight | weight | w
# first-bad: 69
"""Bus arrival times. The head is kept inside a norm ball so that single stops cannot dominate."""
import functools

import torch
from torch import nn


def capped(limit, names):
    """decorator for a loss method: keeps the named layers inside the ball"""
    def wrap(fn):
        @functools.wraps(fn)
        def inner(self, *args):
            value = fn(self, *args)
            for name in names:
                weight = getattr(self, name).weight
                with torch.no_grad():
                    norm = weight.norm()
                    if norm > limit:
                        weight.mul_(limit / norm)  # <- culprit
            return value
        return inner
    return wrap


class Eta(nn.Module):
    def __init__(self, stops):
        super().__init__()
        self.stop = nn.Embedding(stops, 8)
        self.mix = nn.Linear(8 + 3, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, stop, live):
        return self.head(torch.relu(self.mix(torch.cat([self.stop(stop), live], 1)))).squeeze(1)

    @capped(limit=1.0, names=("head",))
    def lateness(self, stop, live, minutes):
        return nn.functional.huber_loss(self(stop, live), minutes)


def trips(seed, n=1024):
    g = torch.Generator().manual_seed(seed)
    stop = torch.randint(0, 30, (n,), generator=g)
    live = torch.rand(n, 3, generator=g)
    return stop, live, stop * 0.15 + 2 * live[:, 0] * live[:, 1] + 0.2 * torch.randn(n, generator=g)


torch.manual_seed(18)
net = Eta(30)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for s in range(300):
    value = net.lateness(*trips(s))
    opt.zero_grad()
    value.backward()
    opt.step()
    if s % 20 == 0:
        print(f"{s:3d} huber {value.item():.4f}")
