from typing import Iterator

import torch
from torch import Tensor, nn


class BasketModel(nn.Module):
    def __init__(self, products: int, width: int) -> None:
        super().__init__()
        self.bag = nn.EmbeddingBag(products, width, mode="mean")
        self.hidden = nn.Sequential(nn.Linear(width, width), nn.ELU())
        self.score = nn.Linear(width, products)

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        e = self.hidden(self.bag(seen))
        return e, self.score(e)


def baskets(products: int, visits: int) -> Iterator[tuple[Tensor, Tensor]]:
    g = torch.Generator().manual_seed(44)
    for _ in range(visits):
        base = torch.randint(products, (6, 1), generator=g)
        seen = (base + torch.randint(0, 5, (6, 4), generator=g)) % products
        bought = torch.zeros(6, products).scatter_(1, (seen[:, :2] + 5) % products, 1.0)
        yield seen, bought
