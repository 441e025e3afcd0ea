import math

import torch


def two_moons(batches, seed, n_lab=16, n_unl=48):
    g = torch.Generator().manual_seed(seed)

    def draw(n):
        y = torch.randint(0, 2, (n,), generator=g)
        a = torch.rand(n, generator=g) * math.pi
        s = 1 - 2 * y.float()
        x = torch.stack([s * a.cos() + y, s * a.sin() + 0.5 * y], 1)
        return x + 0.08 * torch.randn(n, 2, generator=g), y

    for _ in range(batches):
        x, y = draw(n_lab)
        u, _ = draw(n_unl)
        yield x, y, u
