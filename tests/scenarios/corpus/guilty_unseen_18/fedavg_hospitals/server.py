from collections import Counter

import torch

from model import flatten, unflatten_


class Ledger:
    """Who took part in which round; auditors ask for the participation shares."""

    def __init__(self):
        self.entries = []

    def record(self, round_no, updates):
        self.entries.append((round_no, tuple(updates)))  # <- culprit

    def participation(self, n):
        seen = Counter(u.hospital for _, updates in self.entries for u in updates)
        return [seen[k] / max(1, len(self.entries)) for k in range(n)]


class Server:
    def __init__(self, model, lr, momentum, seed):
        self.model = model
        self.lr, self.momentum = lr, momentum
        self.velocity = torch.zeros_like(flatten(model))
        self.gen = torch.Generator().manual_seed(seed)
        self.ledger = Ledger()

    def select(self, hospitals, k):
        order = torch.randperm(len(hospitals), generator=self.gen)[:k]
        return [hospitals[i] for i in order.tolist()]

    def broadcast(self):
        return flatten(self.model)

    def aggregate(self, round_no, updates):
        total = sum(u.cases for u in updates)
        mean = sum(u.delta * (u.cases / total) for u in updates)
        self.velocity = self.momentum * self.velocity + mean
        unflatten_(self.model, flatten(self.model) + self.lr * self.velocity)
        self.ledger.record(round_no, updates)  # <- culprit
