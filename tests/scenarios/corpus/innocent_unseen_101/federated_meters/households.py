import math

import torch


class Households:
    n_inputs = 8

    def __init__(self, n, seed):
        self.n = n
        g = torch.Generator().manual_seed(seed)
        self.habit = torch.randn(n, 6, generator=g)
        self.base = torch.rand(n, generator=g)

    def stream(self, home, rnd, n_batches, batch=20):
        g = torch.Generator().manual_seed(1000 * rnd + home)
        for _ in range(n_batches):
            hour = torch.rand(batch, generator=g) * 24
            day = torch.stack([torch.sin(hour / 24 * math.tau), torch.cos(hour / 24 * math.tau)], 1)
            appliances = (torch.rand(batch, 6, generator=g) < 0.3).float()
            load = self.base[home] + appliances @ self.habit[home].abs() + 0.5 * day[:, 0]
            yield torch.cat([day, appliances], 1), load + 0.1 * torch.randn(batch, generator=g)
