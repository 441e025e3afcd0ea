# gradwatch-corpus: kind=graph-held
# holder: calls
# first-bad: 1
from collections import deque
from dataclasses import dataclass

import torch

from .model import PairRanker


@dataclass
class Spec:
    users: int = 120
    items: int = 80
    batch: int = 48
    steps: int = 420
    lr: float = 0.02
    decay_every: int = 150


class Interactions:
    def __init__(self, spec, seed=8):
        self.spec = spec
        self.gen = torch.Generator().manual_seed(seed)
        a = torch.randn(spec.users, 4, generator=self.gen)
        b = torch.randn(spec.items, 4, generator=self.gen)
        self.affinity = a @ b.T

    def __iter__(self):
        s = self.spec
        for _ in range(s.steps):
            u = torch.randint(s.users, (s.batch,), generator=self.gen)
            i = torch.randint(s.items, (s.batch,), generator=self.gen)
            j = torch.randint(s.items, (s.batch,), generator=self.gen)
            swap = self.affinity[u, i] < self.affinity[u, j]
            yield u, torch.where(swap, j, i), torch.where(swap, i, j)


class Engine:
    def __init__(self, spec):
        self.spec = spec
        self.model = PairRanker(spec.users, spec.items)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=spec.lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, spec.decay_every, 0.5)
        self.recent = deque(maxlen=40)

    def step(self, u, pos, neg):
        self.opt.zero_grad()
        loss = self.model(u, pos, neg)
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.recent.append(loss.item())

    def run(self, data):
        for n, triple in enumerate(data):
            self.step(*triple)
            if n % 140 == 0:
                mean = sum(self.recent) / len(self.recent)
                print(f"{n:4d} bpr {mean:.4f} hit {self.model.hit_rate(*triple):.2f}")
        print(PairRanker.score.summary())


torch.manual_seed(5)
spec = Spec()
Engine(spec).run(Interactions(spec))
