from collections import defaultdict

import torch


class TransitionStore:
    def __init__(self, capacity, obs_dim, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.obs = torch.zeros(capacity, obs_dim)
        self.nxt = torch.zeros(capacity, obs_dim)
        self.act = torch.zeros(capacity, dtype=torch.long)
        self.rew = torch.zeros(capacity)
        self.weights = torch.zeros(capacity)
        self.capacity, self.size, self.head = capacity, 0, 0

    def add(self, obs, act, rew, nxt):
        i = self.head
        self.obs[i], self.nxt[i], self.act[i], self.rew[i] = obs, nxt, act, rew
        self.weights[i] = 1.0
        self.head = (i + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def draw(self, n):
        idx = torch.multinomial(self.weights[: self.size], n, generator=self.gen)
        return idx, (self.obs[idx], self.act[idx], self.rew[idx], self.nxt[idx])


class PrioritizedMixin:
    alpha = 0.6

    def reprioritize(self, idx, td):
        self.weights[idx] = td.detach().abs().pow(self.alpha) + 1e-3


class AuditMixin:
    def begin_audit(self):
        self.trace = defaultdict(list)

    def audit(self, idx, td):
        for i, err in zip(idx.tolist(), td.unbind()):
            self.trace[i].append(err)  # <- culprit

    def drift(self):
        pairs = [(v[0], v[-1]) for v in self.trace.values() if len(v) > 1]
        return sum(abs(b.item()) - abs(a.item()) for a, b in pairs) / max(len(pairs), 1)


class Replay(PrioritizedMixin, AuditMixin, TransitionStore):
    pass
