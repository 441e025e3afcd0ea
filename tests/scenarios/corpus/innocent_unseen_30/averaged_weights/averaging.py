import copy
import heapq

import torch


class Lookahead:
    """Slow weights that follow the fast ones every k steps."""

    def __init__(self, base, k, alpha):
        self.base, self.k, self.alpha = base, k, alpha
        self.count = 0
        self.slow = [[p.detach().clone() for p in g["params"]] for g in base.param_groups]

    def zero_grad(self):
        self.base.zero_grad()

    def step(self):
        self.base.step()
        self.count += 1
        if self.count % self.k:
            return
        with torch.no_grad():
            for group, slow in zip(self.base.param_groups, self.slow):
                for p, s in zip(group["params"], slow):
                    s.add_(p - s, alpha=self.alpha)
                    p.copy_(s)


class EMA:
    def __init__(self, model, decay):
        self.shadow = copy.deepcopy(model).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


class BestKeeper:
    """The few best snapshots; the worst one goes when a better one comes."""

    def __init__(self, keep):
        self.keep = keep
        self.heap = []

    def offer(self, value, state, step):
        entry = (-value, step, state)
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, entry)
        elif entry[0] > self.heap[0][0]:
            heapq.heapreplace(self.heap, entry)

    def steps(self):
        return sorted(e[1] for e in self.heap)

    def top(self):
        return -max(e[0] for e in self.heap)
