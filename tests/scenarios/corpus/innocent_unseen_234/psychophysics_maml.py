# gradwatch-corpus: kind=none
"""Meta-learned starting point for fitting single observers' psychometric curves."""
import random
from collections import deque

import torch
import torch.nn.functional as F

SUPPORT = 20
QUERY = 60


class ObserverPool:
    def __init__(self, n, seed):
        self.rng = random.Random(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.observers = []
        for _ in range(n):
            threshold = self.rng.gauss(0.8, 0.3)
            slope = self.rng.uniform(2.0, 4.0)
            lapse = self.rng.uniform(0.0, 0.06)
            self.observers.append((threshold, slope, lapse))

    def trials(self, who, n):
        threshold, slope, lapse = who
        x = 3.0 * torch.rand(n, generator=self.gen) - 0.7
        p = lapse + (1.0 - 2 * lapse) * torch.sigmoid(slope * (x - threshold))
        y = (torch.rand(n, generator=self.gen) < p).float()
        return x, y

    def draw(self, k):
        return self.rng.sample(self.observers, k)


def psychometric(theta, x):
    lapse = 0.1 * torch.sigmoid(theta["lapse"])
    curve = torch.sigmoid(theta["slope"].exp() * (x - theta["threshold"]))
    return lapse + (1.0 - 2.0 * lapse) * curve


def nll(theta, trials):
    x, y = trials
    return F.binary_cross_entropy(psychometric(theta, x), y)


class MetaFit:
    def __init__(self, pool, inner_steps, adapters):
        self.pool = pool
        self.inner_steps = inner_steps
        self.theta = {k: torch.zeros(()).requires_grad_(True) for k in ("threshold", "slope", "lapse")}
        self.log_rate = {k: torch.tensor(-1.0, requires_grad=True) for k in self.theta}
        self.opt = torch.optim.Adam([*self.theta.values(), *self.log_rate.values()], lr=0.02)
        self.adapters = deque(maxlen=adapters)
        self.history = {"before": [], "after": []}

    def adapt(self, support):
        fast = dict(self.theta)
        for _ in range(self.inner_steps):
            loss = nll(fast, support)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {
                k: v - self.log_rate[k].exp() * g
                for (k, v), g in zip(fast.items(), grads)
            }
        return fast

    def meta_step(self, n_observers):
        total = 0.0
        before = 0.0
        for who in self.pool.draw(n_observers):
            query = self.pool.trials(who, QUERY)
            fast = self.adapt(self.pool.trials(who, SUPPORT))
            total = total + nll(fast, query) / n_observers
            with torch.no_grad():
                before += nll(self.theta, query).item() / n_observers
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.adapters.append({k: v.item() for k, v in fast.items()})
        self.history["before"].append(before)
        self.history["after"].append(total.item())

    def plateau(self, window=30, tol=1e-4):
        after = self.history["after"]
        if len(after) < 2 * window:
            return False
        new = sum(after[-window:]) / window
        old = sum(after[-2 * window:-window]) / window
        return abs(new - old) < tol


def main():
    torch.manual_seed(1860)
    fit = MetaFit(ObserverPool(40, seed=5), inner_steps=3, adapters=10)
    for it in range(120):
        fit.meta_step(3)
        if it % 30 == 0:
            print(f"{it:4d} before {fit.history['before'][-1]:.3f} after {fit.history['after'][-1]:.3f}")
        if fit.plateau():
            break
    print({k: round(v.item(), 3) for k, v in fit.theta.items()})
    print({k: round(v.exp().item(), 3) for k, v in fit.log_rate.items()})


if __name__ == "__main__":
    main()
