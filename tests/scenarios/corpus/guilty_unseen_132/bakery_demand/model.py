import torch
from torch import nn


class ShopNet(nn.Module):
    def __init__(self, shops):
        super().__init__()
        self.shop = nn.Embedding(shops, 4)
        self.body = nn.Sequential(nn.Linear(11, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, shop, past):
        return self.body(torch.cat([self.shop(shop), past / 10], 1)).squeeze(1)
