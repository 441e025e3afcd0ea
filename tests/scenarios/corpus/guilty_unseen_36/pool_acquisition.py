# gradwatch-corpus: kind=graph-held
# holder: self.pool.scores | pool.scores | self.scores | learner.pool.scores
# first-bad: 1
"""Active learning: label the samples the classifier is least sure of."""
from contextlib import contextmanager

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Pool:
    def __init__(self, n, gen):
        self.x = torch.randn(n, 6, generator=gen)
        self.y = ((self.x[:, 0] * self.x[:, 1] > 0).long() + (self.x[:, 2] > 1).long())
        self.labelled = set(range(24))
        self.scores = {}

    @property
    def open(self):
        return [i for i in range(len(self.x)) if i not in self.labelled]

    def rank(self, k):
        return sorted(self.scores, key=lambda i: float(self.scores[i]), reverse=True)[:k]

    def label(self, ids):
        self.labelled.update(ids)
        for i in ids:
            self.scores.pop(i, None)


@contextmanager
def phase(net, training):
    was = net.training
    net.train(training)
    yield
    net.train(was)


def entropy(logits):
    p = F.softmax(logits, 1)
    return -(p * p.clamp_min(1e-8).log()).sum(1)


class Learner:
    def __init__(self, pool, gen):
        self.pool, self.gen = pool, gen
        self.net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 3))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)

    def draw(self, ids, n):
        pick = torch.randperm(len(ids), generator=self.gen)[:n].tolist()
        return [ids[j] for j in pick]

    def train_step(self):
        lab = self.draw(sorted(self.pool.labelled), 16)
        unl = self.draw(self.pool.open, 16)
        out = self.net(self.pool.x[lab + unl])
        ent = entropy(out[len(lab):])
        loss = F.cross_entropy(out[:len(lab)], self.pool.y[lab]) + 0.05 * ent.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        for i, e in zip(unl, ent):
            self.pool.scores[i] = e  # <- culprit
        return loss.item()

    @torch.no_grad()
    def accuracy(self):
        with phase(self.net, False):
            return (self.net(self.pool.x).argmax(1) == self.pool.y).float().mean().item()


def main():
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(9)
    pool = Pool(600, gen)
    learner = Learner(pool, gen)
    for rnd in range(6):
        losses = [learner.train_step() for _ in range(25)]
        pool.label(pool.rank(12))
        print(f"round {rnd} labelled {len(pool.labelled)} loss {losses[-1]:.3f} acc {learner.accuracy():.3f}")


if __name__ == "__main__":
    main()
