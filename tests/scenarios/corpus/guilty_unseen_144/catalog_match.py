# gradwatch-corpus: kind=second-backward
# holder: catalog.vectors | self.vectors | matcher.catalog.vectors
# first-bad: 1
# notice: 0
from functools import cached_property

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(31)


class Catalog(nn.Module):
    """All product categories, described by a bag of attributes."""

    def __init__(self, n=15, attrs=22, dim=9):
        super().__init__()
        self.register_buffer("attributes", (torch.rand(n, attrs) < 0.2).float())
        self.proj = nn.Sequential(nn.Linear(attrs, 16), nn.ELU(), nn.Linear(16, dim))

    @cached_property  # <- culprit
    def vectors(self):  # <- culprit
        return nn.functional.normalize(self.proj(self.attributes), dim=1)  # <- culprit


class Matcher(nn.Module):
    def __init__(self):
        super().__init__()
        self.catalog = Catalog()
        self.listing = nn.Linear(22, 9)

    def forward(self, listing):
        return 8 * self.listing(listing) @ self.catalog.vectors.T


def listings(catalog, n=24):
    y = torch.randint(0, 15, (n,))
    x = catalog.attributes[y] * (torch.rand(n, 22) > 0.15) + 0.1 * torch.randn(n, 22)
    return x, y


matcher = Matcher()
opt = torch.optim.NAdam(matcher.parameters(), lr=2e-3)
for it in range(300):
    x, y = listings(matcher.catalog)
    loss = nn.functional.cross_entropy(matcher(x), y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(it, loss.item())
