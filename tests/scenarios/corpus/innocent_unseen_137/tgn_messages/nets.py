import torch
from torch import nn


class LateMemory(nn.Module):
    def __init__(self, nodes, feat, width):
        super().__init__()
        self.cell = nn.GRUCell(feat + width, width)
        self.rows = torch.zeros(nodes, width)
        self.inbox = []

    def post(self, a, b, feat):
        self.inbox.append((a, b, feat))

    def flush(self):
        for a, b, feat in self.inbox:
            new = self.cell(torch.cat([feat, self.rows[b]], 1), self.rows[a])
            self.rows = self.rows.index_put((a,), new)
        self.inbox.clear()

    def read(self, who):
        return self.rows[who]

    def cut(self):
        self.rows = self.rows.detach()


class VolumeHead(nn.Module):
    def __init__(self, width, feat):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2 * width + feat, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, u, v, feat):
        return self.f(torch.cat([u, v, feat], 1)).squeeze(1)
