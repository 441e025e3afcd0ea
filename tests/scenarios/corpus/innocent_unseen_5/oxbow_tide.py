# gradwatch-corpus: kind=none
# about: a state is carried through the whole river and looks like a chain, but the graph is cut at the end of each window; the deque of gauges with graph is bounded by its maxlen and used within
"""River stage forecasting: a hidden state follows the gauge readings, learning happens window by window."""
from collections import deque
from dataclasses import dataclass, field
from itertools import islice

import math
import random

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Course:
    """What is carried down the river."""
    hidden: torch.Tensor
    wake: deque = field(default_factory=lambda: deque(maxlen=6))
    hours: int = 0

    def onward(self, hidden, stage):
        self.hidden = hidden
        self.wake.append(stage)
        self.hours += 1
        return self

    def lock(self):
        """Pass a lock: values go through, history does not. The wake keeps its own."""
        self.hidden = self.hidden.detach()
        return self

    @property
    def roughness(self):
        if len(self.wake) < 3:
            return self.hidden.new_zeros(())
        w = torch.stack([s.detach() for s in islice(self.wake, 0, len(self.wake) - 3)] + list(self.wake)[-3:])
        return (w[2:] - 2 * w[1:-1] + w[:-2]).square().mean()


def gauges(seed, rivers=12):
    rng = random.Random(seed)
    g = torch.Generator().manual_seed(seed)
    speed = torch.tensor([rng.uniform(0.3, 0.6) for _ in range(rivers)])
    level, hour = torch.zeros(rivers), 0
    while True:
        rain = torch.relu(torch.randn(rivers, generator=g) - 0.8)
        tide = 0.3 * math.sin(hour * 2 * math.pi / 12.4)
        level = 0.9 * level + speed * rain
        hour += 1
        yield torch.stack([level + tide, rain], dim=1), level * 0.9 + 0.3 * math.sin(hour * 2 * math.pi / 12.4)


def windows(stream, size):
    while True:
        yield list(islice(stream, size))


class Oxbow(nn.Module):
    def __init__(self, size=32):
        super().__init__()
        self.cell = nn.GRUCell(2, size)
        self.stage = nn.Linear(size, 1)

    def travel(self, course, readings):
        for seen, after in readings:
            hidden = self.cell(seen, course.hidden)
            guess = self.stage(hidden).squeeze(1)
            course.onward(hidden, guess)
            yield F.mse_loss(guess, after)


class Forecast:
    def __init__(self, seed=19, rivers=12, smooth=0.01):
        torch.manual_seed(seed)
        self.net, self.smooth = Oxbow(), smooth
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.course = Course(torch.zeros(rivers, 32))
        self.stream = windows(gauges(seed, rivers), 8)

    def window(self):
        parts = list(self.net.travel(self.course, next(self.stream)))
        cost = sum(parts) / len(parts) + self.smooth * self.course.roughness
        self.opt.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.course.lock()
        return cost.item()

    def run(self, many):
        tail = deque(maxlen=30)
        for k in range(many):
            tail.append(self.window())
            if k % 50 == 0:
                print(f"window {k:3d} hour {self.course.hours:4d} cost {sum(tail) / len(tail):.4f}")


if __name__ == "__main__":
    Forecast().run(300)
