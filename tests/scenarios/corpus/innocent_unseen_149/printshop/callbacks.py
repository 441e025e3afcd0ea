import copy
from collections import deque


class Accumulate:
    def __init__(self, k):
        self.k = k

    def before(self, trainer, n):
        trainer.scale = 1 / self.k
        trainer.ready = (n + 1) % self.k == 0


class History:
    def __init__(self):
        self.values = []
        self.mean = None

    def after(self, trainer, n, loss):
        loss = loss.detach()
        self.mean = loss if self.mean is None else 0.95 * self.mean + 0.05 * loss
        self.values.append(self.mean.item())


class BestWeights:
    def __init__(self, every):
        self.every, self.best, self.state = every, float("inf"), None
        self.window = deque(maxlen=8)

    def after(self, trainer, n, loss):
        self.window.append(loss.detach())
        if (n + 1) % self.every == 0:
            level = float(sum(self.window)) / len(self.window)
            if level < self.best:
                self.best, self.state = level, copy.deepcopy(trainer.net.state_dict())
