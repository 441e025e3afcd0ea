import random

import torch


class Scanner:
    def __init__(self, beams):
        self.ang = torch.linspace(-1.5, 1.5, beams)

    def __call__(self, n):
        pose = torch.rand(n, 3) * 2 - 1
        a = self.ang + 0.4 * pose[:, 2:]
        scan = (2.5 - pose[:, :1]) / torch.cos(a).clamp_min(0.2) + 0.5 * pose[:, 1:2] * torch.sin(a)
        return scan.clamp_max(6.0) / 6.0, pose


class Reservoir:
    """Renders anew until full; afterwards draws from what it has, replacing now and then."""

    def __init__(self, render, capacity, batch):
        self.render, self.capacity, self.batch = render, capacity, batch
        self.sets, self.rng, self.n = [], random.Random(1), 0

    def __len__(self):
        return len(self.sets)

    def draw(self):
        self.n += 1
        if len(self.sets) < self.capacity:
            self.sets.append(self.render(self.batch))
            return self.sets[-1]
        j = self.rng.randrange(self.capacity)
        if self.n % 7 == 0:
            self.sets[j] = self.render(self.batch)
        return self.sets[j]
