# gradwatch-corpus: kind=none
"""Micro-batched topic model; terms are collected in a scope and differentiated when it closes."""
import contextlib

import torch
import torch.nn.functional as F
from torch import nn


class Terms:
    def __init__(self):
        self.by_name = {}

    def add(self, name, value, weight=1.0):
        self.by_name.setdefault(name, []).append(weight * value)

    def total(self):
        return sum(torch.stack(v).mean() for v in self.by_name.values())


class Trainer:
    def __init__(self, params, lr, remember=12):
        self.opt = torch.optim.Adam(params, lr=lr)
        self.remember = remember
        self.closed = []

    @contextlib.contextmanager
    def scope(self):
        terms = Terms()
        self.opt.zero_grad()
        yield terms
        terms.total().backward()
        self.opt.step()
        self.closed = [terms, *self.closed[: self.remember - 1]]

    def summary(self):
        names = self.closed[0].by_name
        return {
            n: round(sum(v.item() for t in self.closed for v in t.by_name[n]) / sum(len(t.by_name[n]) for t in self.closed), 4)
            for n in names
        }


class NTM(nn.Module):
    def __init__(self, vocab, topics):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(vocab, 64), nn.Softplus())
        self.mu, self.logvar = nn.Linear(64, topics), nn.Linear(64, topics)
        self.beta = nn.Linear(topics, vocab, bias=False)

    def forward(self, bow):
        h = self.enc(bow / bow.sum(1, keepdim=True))
        mu, logvar = self.mu(h), self.logvar(h)
        theta = F.softmax(mu + torch.randn_like(mu) * (0.5 * logvar).exp(), dim=-1)
        rec = -(bow * F.log_softmax(self.beta(theta), -1)).sum(1).mean()
        kl = 0.5 * (mu ** 2 + logvar.exp() - 1 - logvar).sum(1).mean()
        return rec, kl


def documents(gen, topics, n):
    mix = torch.rand(n, len(topics), generator=gen).pow(4)
    p = (mix / mix.sum(1, keepdim=True)) @ topics
    words = torch.multinomial(p, 40, replacement=True, generator=gen)
    return torch.zeros(n, topics.shape[1]).scatter_add_(1, words, torch.ones(n, 40))


def main(steps=420):
    torch.manual_seed(70)
    gen = torch.Generator().manual_seed(71)
    topics = F.softmax(2 * torch.randn(6, 90, generator=gen), -1)
    net = NTM(90, 6)
    trainer = Trainer(net.parameters(), lr=3e-3)
    for step in range(steps):
        with trainer.scope() as terms:
            for _ in range(3):
                rec, kl = net(documents(gen, topics, 16))
                terms.add("rec", rec)
                terms.add("kl", kl, min(1.0, step / 200))
        if step % 70 == 0:
            print(step, trainer.summary())


if __name__ == "__main__":
    main()
