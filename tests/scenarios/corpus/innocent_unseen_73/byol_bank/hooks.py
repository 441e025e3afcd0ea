import math
from collections import deque

import torch


class CosineMomentum:
    def __init__(self, base):
        self.base = base

    def before(self, eng):
        f = (math.cos(math.pi * eng.it / eng.iters) + 1) / 2
        eng.algo.teacher.momentum = 1 - (1 - self.base) * f


class FeatureBank:
    def __init__(self, capacity):
        self.rows = deque(maxlen=capacity)

    def __len__(self):
        return len(self.rows)

    def after(self, eng):
        z = torch.nn.functional.normalize(eng.algo.last_z.detach(), dim=1)
        self.rows.extend(zip(z, eng.labels.tolist()))

    def tensors(self):
        z, y = zip(*self.rows)
        return torch.stack(z), torch.tensor(y)


class KNNProbe:
    def __init__(self, bank, every, k=7):
        self.bank, self.every, self.k = bank, every, k

    @torch.no_grad()
    def after(self, eng):
        if (eng.it + 1) % self.every:
            return
        z, y = self.bank.tensors()
        sim = z @ z.t()
        sim.fill_diagonal_(-1)
        votes = y[sim.topk(self.k).indices].mode(1).values
        print(f"iter {eng.it + 1} knn {(votes == y).float().mean().item():.3f}")


class LossMeter:
    def __init__(self, every):
        self.every, self.avg = every, None

    def after(self, eng):
        v = eng.loss.detach()
        self.avg = v if self.avg is None else 0.95 * self.avg + 0.05 * v
        if (eng.it + 1) % self.every == 0:
            print(f"iter {eng.it + 1} loss {self.avg.item():.4f}")
