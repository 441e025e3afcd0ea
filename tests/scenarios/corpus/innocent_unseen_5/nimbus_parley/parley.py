"""Two tasks over one trunk; where their gradients disagree, each gives way to the other (PCGrad)."""
from collections import deque
from contextlib import contextmanager

import torch


class Voice:
    """One task: a head, a cost, and what it had to say to the trunk this time."""

    def __init__(self, name, head, cost):
        self.name, self.head, self.cost = name, head, cost
        self.wish = None
        self.recent = deque(maxlen=25)

    def speak(self, shared, truth):
        said = self.cost(self.head(shared), truth)
        self.recent.append(said.detach())
        return said

    @property
    def mean(self):
        return torch.stack(list(self.recent)).mean().item()


class Parley:
    def __init__(self, trunk, *voices):
        self.trunk, self.voices = trunk, voices
        self.common = list(trunk.parameters())
        self.quarrels = 0

    @contextmanager
    def session(self):
        try:
            yield self
        finally:
            for v in self.voices:
                v.wish = None

    def _listen(self, voice, said, last):
        said.backward(retain_graph=not last)
        voice.wish = torch.cat([p.grad.flatten() for p in self.common])
        for p in self.common:
            p.grad = None

    def settle(self):
        wishes = [v.wish for v in self.voices]
        final = []
        for i, mine in enumerate(wishes):
            for j, other in enumerate(wishes):
                dot = mine @ other
                if i != j and dot < 0:
                    mine = mine - dot / other.dot(other) * other
                    self.quarrels += 1
            final.append(mine)
        total, at = sum(final), 0
        for p in self.common:
            p.grad = total[at:at + p.numel()].view_as(p).clone()
            at += p.numel()

    def hold(self, pair, truths):
        shared = self.trunk(pair)
        said = [v.speak(shared, t) for v, t in zip(self.voices, truths)]
        for k, (v, s) in enumerate(zip(self.voices, said), 1):
            self._listen(v, s, last=k == len(said))
        self.settle()
