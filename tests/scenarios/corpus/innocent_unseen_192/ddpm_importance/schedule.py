from collections import defaultdict, deque
from functools import partial

import torch


def cosine_alphas(T):
    t = torch.linspace(0.02, 0.98, T)
    return torch.cos(t * torch.pi / 2) ** 2


class LossAwareSampler:
    def __init__(self, T, history=10):
        self.T = T
        self.history = defaultdict(partial(deque, maxlen=history))

    @property
    def warm(self):
        return len(self.history) == self.T and all(len(h) == h.maxlen for h in self.history.values())

    def probs(self):
        if not self.warm:
            return torch.full((self.T,), 1 / self.T)
        p = torch.stack([torch.stack(list(self.history[t])).pow(2).mean().sqrt() for t in range(self.T)])
        return 0.99 * p / p.sum() + 0.01 / self.T

    def sample(self, n):
        p = self.probs()
        t = torch.multinomial(p, n, replacement=True)
        return t, 1 / (self.T * p[t])

    def update(self, t, losses):
        for ti, li in zip(t.tolist(), losses.detach()):
            self.history[ti].append(li)
