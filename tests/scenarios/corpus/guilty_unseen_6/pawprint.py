# gradwatch-corpus: kind=inplace-modified
# holder: self.trail | nose.trail
# first-bad: 80
"""TD learning of scent strength along a corridor, features smeared over time by a fading trail.

The span between two updates is lengthened while the learner gets better."""
import random
from contextlib import contextmanager

import torch
from torch import nn


class Corridor:
    def __init__(self, length, seed):
        self.length, self.rng = length, random.Random(seed)
        centres = torch.linspace(0, 1, 12)
        self.code = lambda x: torch.exp(-60 * (centres - x / length) ** 2)

    def __iter__(self):
        while True:
            x = self.rng.randrange(self.length // 2)
            while 0 <= x < self.length:
                nxt = x + self.rng.choice((-1, 1, 1))
                yield self.code(x), float(nxt >= self.length), self.code(nxt), not 0 <= nxt < self.length
                x = nxt


class Nose(nn.Module):
    def __init__(self, size=12, hidden=16, fade=0.8):
        super().__init__()
        self.fade = fade
        self.register_buffer("trail", torch.zeros(size))
        self.mix = nn.Linear(size, hidden)
        self.read = nn.Linear(hidden, 1)

    def sniff(self, code):
        self.trail.mul_(self.fade).add_(code)  # <- culprit
        return self.read(torch.tanh(self.mix(self.trail))).squeeze(-1)

    @contextmanager
    def peek(self):
        before = self.trail
        self.trail = before.clone()
        with torch.no_grad():
            yield self.sniff
        self.trail = before

    def forget(self):
        self.trail = torch.zeros_like(self.trail)


def span_for(update):
    return 1 if update < 80 else 2 if update < 200 else 4


def main(updates=400, discount=0.95):
    torch.manual_seed(14)
    nose = Nose()
    opt = torch.optim.Adam(nose.parameters(), lr=3e-3)
    walk = iter(Corridor(20, seed=14))
    recent = 0.0
    for update in range(updates):
        cost = torch.zeros(())
        for _ in range(span_for(update)):
            code, reward, nxt, done = next(walk)
            here = nose.sniff(code)
            with nose.peek() as smell:
                there = 0.0 if done else smell(nxt)
            cost = cost + (reward + discount * there - here).square()
            if done:
                nose.forget()
        opt.zero_grad()
        cost.backward()
        opt.step()
        recent = 0.95 * recent + 0.05 * cost.item()
        if update % 20 == 0:
            print(f"update {update:3d} span {span_for(update)} squared TD error {recent:.4f}", flush=True)


if __name__ == "__main__":
    main()
