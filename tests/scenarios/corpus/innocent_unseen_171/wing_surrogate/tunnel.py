from functools import lru_cache

import torch


@lru_cache(maxsize=32)
def sweep(camber_permille, thickness_permille):
    """A tunnel sweep: lift over angle of attack for one section (angle in radians)."""
    a = torch.linspace(-0.15, 0.3, 256)
    camber, thick = camber_permille / 1000, thickness_permille / 1000
    stall = 0.15 + 0.6 * thick
    slope = 6.28 * (1 + 0.77 * thick)
    lift = slope * stall * torch.tanh((a + 2 * camber) / stall)
    d_lift = slope * (1 - torch.tanh((a + 2 * camber) / stall) ** 2)
    return a, lift, d_lift, camber, thick


def draw(n, g):
    rows = []
    for _ in range(4):
        c = int(torch.randint(0, 60, (), generator=g))
        t = int(torch.randint(60, 180, (), generator=g))
        a, lift, d, camber, thick = sweep(c, t)
        pick = torch.randint(len(a), (n // 4,), generator=g)
        same = torch.ones(len(pick))
        rows.append(torch.stack([a[pick], camber * same, thick * same, lift[pick], d[pick]], 1))
    return torch.cat(rows).split([3, 1, 1], dim=1)
