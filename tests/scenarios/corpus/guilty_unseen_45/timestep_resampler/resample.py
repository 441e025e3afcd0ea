"""Importance sampling of diffusion timesteps by recent loss."""
from collections import defaultdict

import torch


class UniformSampler:
    def __init__(self, timesteps):
        self.timesteps = timesteps

    def weights(self):
        return torch.full((self.timesteps,), 1.0 / self.timesteps)

    def draw(self, n):
        w = self.weights()
        t = torch.multinomial(w, n, replacement=True)
        return t, 1.0 / (self.timesteps * w[t])

    def update(self, t, losses):
        pass


class LossAwareSampler(UniformSampler):
    def __init__(self, timesteps, per_step=8, floor=0.01):
        super().__init__(timesteps)
        self.per_step = per_step
        self.floor = floor
        self._history = defaultdict(list)

    def _ready(self):
        return (len(self._history) == self.timesteps
                and all(len(h) >= self.per_step for h in self._history.values()))

    @torch.no_grad()
    def weights(self):
        if not self._ready():
            return super().weights()
        rms = torch.stack([torch.stack(self._history[t]).square().mean().sqrt()
                           for t in range(self.timesteps)])
        p = rms / rms.sum()
        return (1 - self.floor) * p + self.floor / self.timesteps

    def update(self, t, losses):
        for step, value in zip(t.tolist(), losses.unbind()):  # <- culprit
            slot = self._history[step]
            slot.append(value)  # <- culprit
            if len(slot) > 10 * self.per_step:
                del slot[:-self.per_step]
