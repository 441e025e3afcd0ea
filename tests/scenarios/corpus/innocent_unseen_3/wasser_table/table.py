import torch
import torch.nn.functional as F

CATEGORIES, NUMERIC = 5, 4


def rows(n, g):
    kind = torch.randint(CATEGORIES, (n,), generator=g)
    centre = torch.linspace(-2, 2, CATEGORIES)[kind]
    num = torch.randn(n, NUMERIC, generator=g) * .3 + centre[:, None] * torch.tensor([1., -1., .5, 0.])
    return torch.cat([F.one_hot(kind, CATEGORIES).float(), num], 1)
