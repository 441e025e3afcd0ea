# gradwatch-corpus: kind=second-backward
# holder: self.centre | proto.centre | self.protos[c].centre | bank.protos[c].centre | p.centre | self.protos | trainer.bank.protos[4].centre
# first-bad: 20
"""Prototype classifier; the prototype loss starts after a warm-up."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(17)


class Prototype:
    def __init__(self, label, dim, momentum=0.8):
        self.label = label
        self.momentum = momentum
        self.centre = torch.zeros(dim)
        self.count = 0

    def absorb(self, feats):
        if not len(feats):
            return
        mean = feats.mean(0)
        if self.count == 0:
            self.centre = mean
        else:
            self.centre = self.momentum * self.centre + (1 - self.momentum) * mean  # <- culprit
        self.count += len(feats)


class Bank:
    def __init__(self, classes, dim):
        self.protos = [Prototype(c, dim) for c in range(classes)]

    def absorb(self, feats, labels):
        for proto in self.protos:
            proto.absorb(feats[labels == proto.label])

    def logits(self, feats):
        centres = torch.stack([p.centre for p in self.protos])
        return -torch.cdist(feats, centres).pow(2)


class Trainer:
    def __init__(self, classes=5, dim=10, warmup=20):
        self.encoder = nn.Sequential(nn.Linear(7, 24), nn.ReLU(), nn.Linear(24, dim))
        self.linear = nn.Linear(dim, classes)
        self.bank = Bank(classes, dim)
        self.warmup = warmup
        params = [*self.encoder.parameters(), *self.linear.parameters()]
        self.opt = torch.optim.SGD(params, lr=0.05, momentum=0.9)

    def features(self, x, step):
        if step < self.warmup - 1:
            with torch.no_grad():
                self.bank.absorb(self.encoder(x), self.labels)
        feats = self.encoder(x)
        if step >= self.warmup - 1:
            self.bank.absorb(feats, self.labels)  # <- culprit
        return feats

    def step(self, x, y, step):
        self.labels = y
        feats = self.features(x, step)
        loss = F.cross_entropy(self.linear(feats), y)
        if step >= self.warmup:
            loss = loss + 0.2 * F.cross_entropy(self.bank.logits(feats), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def episodes(steps, classes=5, n=40):
    means = 1.5 * torch.randn(classes, 7)
    for _ in range(steps):
        y = torch.randint(0, classes, (n,))
        yield means[y] + torch.randn(n, 7), y


trainer = Trainer()
for i, (x, y) in enumerate(episodes(100)):
    value = trainer.step(x, y, i)
    if i % 10 == 0:
        print(f"{i:3d} {value:.4f}")
