import torch
from torch import nn


class Controller(nn.Module):
    def __init__(self, keys, values, width=20):
        super().__init__()
        self.width = width
        self.key = nn.Embedding(keys, width)
        self.value = nn.Embedding(values, width)
        self.mix = nn.Linear(2 * width, width)
        self.out = nn.Sequential(nn.Linear(2 * width, 32), nn.ReLU(), nn.Linear(32, values))

    def forward(self, k, v):
        query = self.key(k)
        write = torch.tanh(self.mix(torch.cat([query, self.value(v)], dim=1)))
        return query, write

    def decode(self, query, content):
        return self.out(torch.cat([query, content], dim=1))
