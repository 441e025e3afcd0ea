import torch
from torch import nn

from .bank import VectorBank

CROPS = ("wheat", "barley")


class Desk:
    def __init__(self, n_regions):
        self.n_regions = n_regions
        self.summary = nn.Sequential(nn.Linear(n_regions, 12), nn.GELU(), nn.Linear(12, 6))
        self.price = nn.ModuleDict({c: nn.Linear(6, 1) for c in CROPS})
        self.bank = VectorBank()
        params = list(self.summary.parameters()) + list(self.price.parameters())
        self.opt = torch.optim.RMSprop(params, lr=1e-3)

    def quotes(self, day):
        g = torch.Generator().manual_seed(day)
        return {c: torch.randn(self.n_regions, generator=g) for c in CROPS}

    def trade(self, day):
        quotes = self.quotes(day)
        loss = 0
        for crop in CROPS:
            # looked up twice: once for the price, once for the spread
            vec = self.bank.lookup((day, crop), lambda: self.summary(quotes[crop]))
            again = self.bank.lookup((day, crop), lambda: self.summary(quotes[crop]))
            target = quotes[crop][:3].mean()
            loss = loss + (self.price[crop](vec).squeeze() - target) ** 2 + 1e-3 * again.square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def similar_day(self, day):
        return self.bank.similarity((day, "wheat"), (max(day - 7, 0), "wheat"))
