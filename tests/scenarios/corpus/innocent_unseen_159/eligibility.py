# gradwatch-corpus: kind=none
"""Policy gradient on a dice game; each update looks back over the last five decisions."""
from collections import deque
from typing import NamedTuple

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(58)


class Decision(NamedTuple):
    logp: torch.Tensor
    reward: float


class Dice:
    """Roll again or stop; going over the limit loses the points."""

    def __init__(self, limit=12):
        self.limit, self.points = limit, 0

    def features(self):
        return F.one_hot(torch.tensor(self.points), self.limit + 1).float()

    def play(self, again):
        if not again:
            r, self.points = self.points / self.limit, 0
            return r
        self.points += int(torch.randint(1, 7, ()))
        if self.points > self.limit:
            self.points = 0
            return -1.0
        return 0.0


class Trace:
    def __init__(self, span, gamma):
        self.buf = deque(maxlen=span)
        self.gamma = gamma

    def push(self, d):
        self.buf.append(d)

    @property
    def ready(self):
        return len(self.buf) == self.buf.maxlen

    def objective(self, base):
        last = self.buf[-1].reward - base
        w = [self.gamma ** n for n in range(len(self.buf))][::-1]
        return -sum(g * d.logp for g, d in zip(w, self.buf)) * last


class Player:
    def __init__(self, env, span=5):
        self.env = env
        self.pi = nn.Linear(env.limit + 1, 2)
        self.trace = Trace(span, 0.8)
        self.opt = torch.optim.SGD(self.pi.parameters(), lr=0.05)
        self.base = 0.0

    def decide(self):
        lp = F.log_softmax(self.pi(self.env.features()), -1)
        a = torch.multinomial(lp.detach().exp(), 1)
        return a, lp[a].squeeze()

    def turn(self):
        a, lp = self.decide()
        r = self.env.play(bool(a.item()))
        self.trace.push(Decision(lp, r))
        if self.trace.ready:
            loss = self.trace.objective(self.base)
            self.opt.zero_grad()
            loss.backward(retain_graph=True)
            self.opt.step()
        self.base += 0.05 * (r - self.base)
        return r


def main():
    me = Player(Dice())
    acc = 0.0
    for k in range(304):
        acc += me.turn()
        if k % 76 == 75:
            print(k, round(acc / 76, 4), round(me.base, 4))
            acc = 0.0


if __name__ == "__main__":
    main()
