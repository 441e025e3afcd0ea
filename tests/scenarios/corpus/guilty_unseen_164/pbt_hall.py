# gradwatch-corpus: kind=memory-climb
# holder: self.lineage | worker.lineage | w.lineage | workers[i].lineage
# first-bad: 1
"""Population based training of small autoencoders with exploit and explore."""
import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(41)
random.seed(41)


class Snapshotting:
    """Base class: remembers the states a worker went through."""

    def __init__(self):
        self.lineage = []

    def remember(self, **facts):
        weights = {k: v.detach().clone() for k, v in self.model.state_dict().items()}  # <- culprit
        self.lineage.append((weights, facts))  # <- culprit

    def last(self):
        return self.lineage[-1][0]


class Worker(Snapshotting):
    def __init__(self, wid, size=96, width=512):
        super().__init__()
        self.wid = wid
        self.model = nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, size))
        self.lr = 10 ** random.uniform(-3.5, -1.5)
        self.loss = float("inf")
        self.configure()

    def configure(self):
        self.opt = torch.optim.SGD(self.model.parameters(), lr=self.lr)

    def step(self, batch):
        loss = (self.model(batch) - batch).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.loss = loss.item()
        self.remember(loss=self.loss, lr=self.lr)

    def exploit(self, other):
        self.model.load_state_dict(other.last())
        self.lr = other.lr * random.choice([0.8, 1.25])
        self.configure()


class Population:
    def __init__(self, n):
        self.workers = [Worker(i) for i in range(n)]
        self.basis = torch.randn(6, 96)

    def batch(self):
        return torch.randn(16, 6) @ self.basis

    def train(self, rounds, ready=8):
        for r in range(rounds):
            for w in self.workers:
                w.step(self.batch())
            if r % ready == ready - 1:
                ranked = sorted(self.workers, key=lambda w: w.loss)
                ranked[-1].exploit(ranked[0])
                print(f"round {r} best {ranked[0].loss:.4f} lr {ranked[0].lr:.5f} worst {ranked[-1].loss:.4f}")


Population(4).train(32)
