import numpy as np
import torch


def moons(n, noise, seed):
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, np.pi, n)
    y = rng.integers(0, 2, n)
    x = np.stack([np.cos(t) * (1 - 2 * y) + y, np.sin(t) * (1 - 2 * y) + 0.5 * y], 1)
    x += rng.normal(scale=noise, size=x.shape)
    return torch.from_numpy(x).float(), torch.from_numpy(y).long()


def batches(x, y, n_labeled, bs, steps, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        li = torch.randint(0, n_labeled, (bs // 4,), generator=g)
        ui = torch.randint(n_labeled, len(x), (bs,), generator=g)
        yield x[li], y[li], x[ui]
