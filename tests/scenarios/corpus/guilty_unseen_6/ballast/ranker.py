import torch
from torch import nn


class FactorRanker(nn.Module):
    def __init__(self, shoppers, products, rank):
        super().__init__()
        self.who = nn.Embedding(shoppers, rank)
        self.what = nn.Embedding(products, rank)
        self.appeal = nn.Embedding(products, 1)
        for table in (self.who, self.what, self.appeal):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, who, what):
        return (self.who(who) * self.what(what)).sum(-1) + self.appeal(what).squeeze(-1)
