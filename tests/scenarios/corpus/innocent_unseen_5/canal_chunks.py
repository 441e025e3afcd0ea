# gradwatch-corpus: kind=none
# about: the hidden state is carried through the whole run and never reset, but the feeder cuts it (an in-place detach inside the generator) whenever a new chunk is handed out
"""Water level telemetry of a canal lock: stateful two-layer recurrent net, one update per 10 readings."""
import math
from functools import singledispatch
from types import SimpleNamespace as NS

import torch
from torch import nn


@singledispatch
def cut(state):
    raise TypeError(type(state))


@cut.register
def _(state: torch.Tensor):
    state.detach_()


@cut.register(tuple)
@cut.register(list)
def _(state):
    for piece in state:
        cut(piece)


@cut.register(dict)
def _(state):
    cut(list(state.values()))


@cut.register(type(None))
def _(state):
    pass


class Lock:
    """Six gauges; a hidden gate position switches the filling on and off."""

    def __init__(self, boats, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.level = torch.zeros(boats, 6)
        self.gate = torch.zeros(boats, 1)
        self.tick = 0

    def reading(self):
        self.tick += 1
        flip = (torch.rand(self.gate.shape, generator=self.g) < 0.06).float()
        self.gate = (self.gate - flip).abs()
        goal = self.gate * torch.linspace(0.5, 1.5, 6) + 0.1 * math.sin(self.tick / 30)
        self.level = self.level + 0.15 * (goal - self.level)
        return self.level + 0.02 * torch.randn(self.level.shape, generator=self.g)


def feeder(lock, carry, chunks, size):
    now = lock.reading()
    for _ in range(chunks):
        cut(carry.state)
        readings = [now] + [lock.reading() for _ in range(size)]
        now = readings[-1]
        yield torch.stack(readings)


class Gauger(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.low = nn.LSTMCell(6, width)
        self.high = nn.GRUCell(width, width)
        self.tell = nn.Linear(width, 6)

    def forward(self, reading, state):
        low = self.low(reading, state["low"] if state else None)
        high = self.high(low[0], state["high"] if state else None)
        return reading + self.tell(high), {"low": low, "high": high}


def run(chunks=300, size=10, boats=12):
    torch.manual_seed(88)
    net, carry = Gauger(), NS(state=None)
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3, momentum=0.5)
    tally = []
    for i, chunk in enumerate(feeder(Lock(boats, 17), carry, chunks, size)):
        miss = 0.0
        for here, there in zip(chunk, chunk[1:]):
            guess, carry.state = net(here, carry.state)
            miss = miss + (guess - there).abs().mean()
        opt.zero_grad()
        (miss / size).backward()
        nn.utils.clip_grad_value_(net.parameters(), 0.5)
        opt.step()
        tally.append(miss.item() / size)
        if i % 50 == 49:
            print(f"chunk {i + 1:4d}  mean miss {sum(tally[-50:]) / 50:.4f}  persistence "
                  f"{(chunk[1:] - chunk[:-1]).abs().mean().item():.4f}")


if __name__ == "__main__":
    run()
