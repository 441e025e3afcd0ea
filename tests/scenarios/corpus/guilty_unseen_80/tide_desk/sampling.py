import torch
from torch.utils.data import Sampler


class GaugeSampler(Sampler):
    """Batch sampler: gauges with a large recent misfit come up more often."""

    def __init__(self, n, per_draw, draws, floor=0.05, memory=0.6):
        self.per_draw, self.draws = per_draw, draws
        self.floor, self.memory = floor, memory
        self.priority = [torch.ones(()) for _ in range(n)]
        self._gen = torch.Generator().manual_seed(3)

    def __len__(self):
        return self.draws

    def _probabilities(self):
        raw = torch.tensor([float(p) for p in self.priority]) + self.floor
        return raw / raw.sum()

    def __iter__(self):
        for _ in range(self.draws):
            yield torch.multinomial(self._probabilities(), self.per_draw, generator=self._gen).tolist()

    def correction(self, gauge):
        picked = torch.stack([self.priority[i] for i in gauge.tolist()])
        weight = (picked + self.floor).rsqrt()
        return weight / weight.max()

    def observe(self, gauge, misfit):
        for i, m in zip(gauge.tolist(), misfit.unbind()):
            self.priority[i] = self.memory * self.priority[i] + (1 - self.memory) * m  # <- culprit
