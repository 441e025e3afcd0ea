"""Importance sampling of time steps by the second moment of their recent losses."""
import torch


class ImportanceTimesteps:
    def __init__(self, levels, seed, history=8, floor=0.01):
        self.levels, self.floor = levels, floor
        self.losses = torch.ones(levels, history)
        self.cursor = torch.zeros(levels, dtype=torch.long)
        self.gen = torch.Generator().manual_seed(seed)

    def weights(self):
        w = self.losses.pow(2).mean(1).sqrt()
        w = w / w.sum()
        return (1 - self.floor) * w + self.floor / self.levels

    def draw(self, n):
        p = self.weights()
        t = torch.multinomial(p, n, replacement=True, generator=self.gen)
        return t, 1 / (self.levels * p[t])

    def record(self, t, losses):
        for step, value in zip(t.tolist(), losses.tolist()):
            self.losses[step, self.cursor[step] % self.losses.shape[1]] = value
            self.cursor[step] += 1
