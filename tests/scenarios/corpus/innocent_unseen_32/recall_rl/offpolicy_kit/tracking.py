import copy
from collections import defaultdict

import torch


class Polyak:
    """Slowly following copy of a network."""

    def __init__(self, net, tau):
        self.net = copy.deepcopy(net).requires_grad_(False)
        self.tau = tau

    def __call__(self, *args):
        return self.net(*args)

    @torch.no_grad()
    def follow(self, source):
        for mine, theirs in zip(self.net.parameters(), source.parameters()):
            mine.mul_(1 - self.tau).add_(theirs, alpha=self.tau)


class EpochHistory:
    def __init__(self):
        self.values = defaultdict(list)

    def add(self, **kw):
        for k, v in kw.items():
            self.values[k].append(v.item() if torch.is_tensor(v) else v)

    def close(self):
        means = {k: round(sum(v) / len(v), 4) for k, v in self.values.items()}
        self.values.clear()
        return means
