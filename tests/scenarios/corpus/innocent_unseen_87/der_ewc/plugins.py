from collections import Counter, deque

import torch
import torch.nn.functional as F


class Plugin:
    def after_iteration(self, learner, loss):
        pass

    def after_task(self, learner, t, task):
        pass


class PluginList(Plugin):
    def __init__(self, items):
        self.items = items

    def after_iteration(self, learner, loss):
        for p in self.items:
            p.after_iteration(learner, loss)

    def after_task(self, learner, t, task):
        for p in self.items:
            p.after_task(learner, t, task)


class OnlineEWC(Plugin):
    def __init__(self, lam, gamma):
        self.lam, self.gamma = lam, gamma
        self.fisher, self.anchor = {}, {}

    def penalty(self, net):
        if not self.anchor:
            return 0.0
        return self.lam * sum((self.fisher[k] * (p - self.anchor[k]).pow(2)).sum() for k, p in net.named_parameters())

    def after_task(self, learner, t, task):
        x, y = task.draw(64)
        named = dict(learner.net.named_parameters())
        fresh = {k: torch.zeros_like(p) for k, p in named.items()}
        for xi, yi in zip(x.split(8), y.split(8)):
            ll = -F.cross_entropy(learner.net(xi), yi)
            for k, g in zip(named, torch.autograd.grad(ll, list(named.values()))):
                fresh[k] += g ** 2 / 8
        for k, p in named.items():
            self.fisher[k] = self.gamma * self.fisher.get(k, 0.0) + fresh[k]
            self.anchor[k] = p.detach().clone()


class AccuracyMatrix(Plugin):
    def __init__(self, tasks):
        self.tests = [t.draw(200) for t in tasks]
        self.rows = []

    @torch.no_grad()
    def after_task(self, learner, t, task):
        self.rows.append([(learner.net(x).argmax(1) == y).float().mean() for x, y in self.tests[: t + 1]])

    def average(self):
        return torch.stack(self.rows[-1]).mean().item()

    def forgetting(self):
        last = self.rows[-1]
        return sum((max(r[j] for r in self.rows[j:]) - last[j]).item() for j in range(len(last) - 1)) / (len(last) - 1)


class LossPlot(Plugin):
    """Smoothed curve over the last iterations; raw values are kept only inside the window."""

    def __init__(self, window=10):
        self.window, self.curve = deque(maxlen=window), []

    def after_iteration(self, learner, loss):
        self.window.append(loss)
        self.curve.append(float(sum(l.detach() for l in self.window) / len(self.window)))


class ReplayStats(Plugin):
    def __init__(self):
        self.labels = Counter()

    def after_task(self, learner, t, task):
        self.labels = Counter(int(y) for _, y, _ in learner.buffer.slots)
