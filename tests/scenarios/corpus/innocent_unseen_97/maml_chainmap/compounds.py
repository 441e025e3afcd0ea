from typing import NamedTuple

import torch


class Compound(NamedTuple):
    ec50: float
    slope: float
    top: float


def panel(gen, size):
    for a, b, c in torch.rand(size, 3, generator=gen).tolist():
        yield Compound(ec50=a - 0.5, slope=2 + 4 * b, top=0.5 + c)


def curve(cmp, gen, n):
    dose = torch.rand(n, 1, generator=gen) * 4 - 2
    return dose, cmp.top * torch.sigmoid(cmp.slope * (dose - cmp.ec50)) + 0.02 * torch.randn(n, 1, generator=gen)
