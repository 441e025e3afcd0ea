# gradwatch-corpus: kind=second-backward
# holder: self._memo | head._memo | instance._memo | self._memo["prototypes"] | self.head._memo | self.prototypes
# first-bad: 1
"""Few-shot style routing of support mails to teams."""
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F


class memoized:
    """Like functools.cached_property, with a reset that our services use."""

    def __init__(self, fn):
        self.fn = fn
        self.name = fn.__name__

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        memo = instance._memo
        if self.name not in memo:
            memo[self.name] = self.fn(instance)  # <- culprit
        return memo[self.name]


class Batch(NamedTuple):
    mails: torch.Tensor
    teams: torch.Tensor


class Encoder(nn.Module):
    def __init__(self, vocab=60, width=24):
        super().__init__()
        self.table = nn.Linear(vocab, width)
        self.mix = nn.Linear(width, width)

    def forward(self, counts):
        return F.normalize(self.mix(torch.tanh(self.table(counts))), dim=-1)


class PrototypeHead:
    def __init__(self, encoder, support: Batch, n_teams: int, temperature=0.2):
        self.encoder = encoder
        self.support = support
        self.n_teams = n_teams
        self.temperature = temperature
        self._memo = {}

    @memoized  # <- culprit
    def prototypes(self):
        z = self.encoder(self.support.mails)
        onehot = F.one_hot(self.support.teams, self.n_teams).float()
        return (onehot.t() @ z) / onehot.sum(0).unsqueeze(1)  # <- culprit

    def reset(self):
        self._memo.clear()

    def __call__(self, mails):
        return self.encoder(mails) @ self.prototypes.t() / self.temperature


class Fitter:
    def __init__(self, head: PrototypeHead, lr: float):
        self.head = head
        self.opt = torch.optim.Adam(head.encoder.parameters(), lr=lr)

    def compute(self, batch: Batch):
        return F.cross_entropy(self.head(batch.mails), batch.teams)

    def epoch(self, batches):
        for i, batch in enumerate(batches):
            loss = self.compute(batch)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            print(f"batch {i:3d} loss {loss.item():.4f}")
        self.head.reset()


class MailFactory:
    def __init__(self, n_teams, vocab=60):
        self.n_teams = n_teams
        self.topics = torch.rand(n_teams, vocab).pow(3)

    def draw(self, n):
        teams = torch.arange(n) % self.n_teams
        return Batch(torch.poisson(2 * self.topics[teams]), teams)


if __name__ == "__main__":
    torch.manual_seed(14)
    factory = MailFactory(n_teams=4)
    head = PrototypeHead(Encoder(), factory.draw(20), n_teams=4)
    fitter = Fitter(head, lr=1e-2)
    for _ in range(3):
        fitter.epoch([factory.draw(32) for _ in range(25)])
