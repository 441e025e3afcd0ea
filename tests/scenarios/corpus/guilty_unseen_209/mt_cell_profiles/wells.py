import math

import torch


class Plate:
    def __init__(self, genes: int, seed: int, types: int = 5) -> None:
        self.gen = torch.Generator().manual_seed(seed)
        self.profile = torch.randn(types, genes, generator=self.gen)
        self.cycle = torch.rand(genes, generator=self.gen) * 2 * math.pi

    def sample(self, n: int):
        kind = torch.randint(len(self.profile), (n,), generator=self.gen)
        phase = torch.rand(n, generator=self.gen) * 2 * math.pi
        log_rate = self.profile[kind] + 0.5 * torch.cos(phase[:, None] - self.cycle)
        counts = torch.poisson(log_rate.clamp(max=3).exp(), generator=self.gen)
        return counts, {"celltype": kind, "phase": phase}
