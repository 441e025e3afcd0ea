# gradwatch-corpus: kind=graph-chain
# holder: shadow.tensors | self.tensors | critic.shadow.tensors | learner.shadow.tensors
# first-bad: 41
# notice: 5
import collections
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2)
random.seed(2)

Hop = collections.namedtuple("Hop", "here cost there final")


class Ring:
    def __init__(self, size):
        self.items = collections.deque(maxlen=size)

    def add(self, hop):
        self.items.append(hop)

    def draw(self, k):
        picked = random.sample(list(self.items), k)
        return Hop(*(torch.stack(c) for c in zip(*picked)))


class Depot:
    def hops(self):
        here = torch.rand(4)
        while True:
            there = (here + 0.2 * torch.randn(4)).clamp(0, 1)
            final = torch.tensor(float(random.random() < 0.05))
            yield Hop(here, (there - here).abs().sum(), there, final)
            here = torch.rand(4) if final else there


class Value(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 16)
        self.two = nn.Linear(16, 1)

    def forward(self, s):
        return self.two(torch.tanh(self.one(s))).squeeze(1)


class Shadow:
    """Slow copy of a module, evaluated by hand."""

    def __init__(self, module, rate):
        self.rate = rate
        self.tensors = {k: p.detach().clone() for k, p in module.named_parameters()}

    def follow(self, module):
        for k, p in module.named_parameters():
            self.tensors[k] = torch.lerp(self.tensors[k], p, self.rate)  # <- culprit

    def __call__(self, s):
        t = self.tensors
        h = torch.tanh(F.linear(s, t["one.weight"], t["one.bias"]))
        return F.linear(h, t["two.weight"], t["two.bias"]).squeeze(1)


class Learner:
    warmup = 40

    def __init__(self):
        self.value = Value()
        self.shadow = None
        self.ring = Ring(300)
        self.opt = torch.optim.Adam(self.value.parameters(), lr=2e-3)

    def learn(self, n):
        h = self.ring.draw(16)
        if n < self.warmup:
            aim = h.cost
        else:
            if self.shadow is None:
                self.shadow = Shadow(self.value, 0.05)
            self.shadow.follow(self.value)
            aim = h.cost + 0.9 * (1 - h.final) * self.shadow(h.there)
        loss = F.smooth_l1_loss(self.value(h.here), aim)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


learner, route = Learner(), Depot().hops()
for _ in range(30):
    learner.ring.add(next(route))
for n in range(360):
    learner.ring.add(next(route))
    last = learner.learn(n)
print(round(last, 4))
