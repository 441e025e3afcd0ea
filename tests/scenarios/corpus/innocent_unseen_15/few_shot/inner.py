from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


class InnerLoop(nn.Module):
    def __init__(self, dim, ways, hidden, steps, rate=0.1):
        super().__init__()
        self.steps = steps
        self.theta = nn.ParameterDict({
            "w1": nn.Parameter(torch.randn(hidden, dim) / dim ** 0.5),
            "b1": nn.Parameter(torch.zeros(hidden)),
            "w2": nn.Parameter(torch.randn(ways, hidden) / hidden ** 0.5),
            "b2": nn.Parameter(torch.zeros(ways)),
        })
        self.rate = nn.ParameterDict({k: nn.Parameter(torch.full_like(p, rate)) for k, p in self.theta.items()})

    @staticmethod
    def logits(w, x):
        return F.linear(torch.tanh(F.linear(x, w["w1"], w["b1"])), w["w2"], w["b2"])

    def adapt(self, x, y):
        fast = dict(self.theta.items())
        for _ in range(self.steps):
            loss = F.cross_entropy(self.logits(fast, x), y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {k: w - self.rate[k] * g for (k, w), g in zip(fast.items(), grads)}
        return fast

    def query(self, fast, x, y):
        out = self.logits(fast, x)
        acc = (out.argmax(1) == y).float().mean().item()
        return F.cross_entropy(out, y), acc


class RecentTasks:
    """The adapted weights of the last few episodes."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.store = OrderedDict()

    def remember(self, uid, fast):
        self.store[uid] = {k: w.detach() for k, w in fast.items()}
        while len(self.store) > self.capacity:
            self.store.popitem(last=False)

    @torch.no_grad()
    def mean_distance(self, theta):
        dists = []
        for fast in self.store.values():
            d2 = sum(((fast[k] - p) ** 2).sum() for k, p in theta.items())
            dists.append(d2.sqrt().item())
        return sum(dists) / len(dists)
