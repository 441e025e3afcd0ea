# gradwatch-corpus: kind=none
"""Self-play league: learners meet averaged and frozen versions of each other."""
import copy
import random
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(19)
random.seed(19)

RULES = torch.tensor([[0., -1., 1.], [1., 0., -1.], [-1., 1., 0.]])


class Strategy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, ctx):
        return self.net(ctx).softmax(-1)


class Contestant:
    def __init__(self, name, past=5):
        self.name = name
        self.live = Strategy()
        self.mean = copy.deepcopy(self.live).requires_grad_(False)
        self.past = deque(maxlen=past)
        self.opt = torch.optim.Adam(self.live.parameters(), lr=5e-3)
        self.results = {}
        self.freeze()

    def freeze(self):
        self.past.append(copy.deepcopy(self.live).eval().requires_grad_(False))

    def follow(self, rate=0.05):
        with torch.no_grad():
            for slow, fast in zip(self.mean.parameters(), self.live.parameters()):
                slow.lerp_(fast, rate)

    def face(self, rival):
        return rival.mean if random.random() < 0.5 else random.choice(rival.past)

    def play(self, rival, ctx):
        mine = self.live(ctx)
        theirs = self.face(rival)(ctx)
        value = ((mine @ RULES) * theirs).sum(-1)
        loss = -value.mean() + 0.05 * (mine * mine.log()).sum(-1).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.follow()
        previous = self.results.get(rival.name, torch.zeros(()))
        self.results[rival.name] = 0.9 * previous + 0.1 * value.mean().detach()


class League:
    def __init__(self, names):
        self.table = {n: Contestant(n) for n in names}

    def season(self, number):
        for a in self.table.values():
            for b in self.table.values():
                if a is not b:
                    a.play(b, torch.randn(16, 4))
        if number % 3 == 0:
            for member in self.table.values():
                member.freeze()

    def standing(self):
        return {n: round(sum(float(v) for v in m.results.values()), 3) for n, m in self.table.items()}


league = League(["x", "y", "z"])
for number in range(18):
    league.season(number)
    if number % 6 == 5:
        print(number, league.standing())
