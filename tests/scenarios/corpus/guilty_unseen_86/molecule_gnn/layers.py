from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Output:
    nodes: torch.Tensor
    value: torch.Tensor


class Conv(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.own, self.near = nn.Linear(width, width), nn.Linear(width, width, bias=False)

    def forward(self, h, adj):
        return h + torch.relu(self.own(h) + self.near(adj @ h))


class GraphNet(nn.Module):
    def __init__(self, n_feat, width, depth):
        super().__init__()
        self.embed = nn.Linear(n_feat, width)
        self.convs = nn.ModuleList(Conv(width) for _ in range(depth))
        self.readout = nn.Linear(width, 1)
        self.atom_head = nn.Linear(width, n_feat)

    def forward(self, b):
        h = self.embed(b.x)
        for conv in self.convs:
            h = conv(h, b.adj)
        pooled = torch.zeros(len(b.y), h.size(1)).index_add(0, b.graph_of, h)
        return Output(nodes=h, value=self.readout(pooled).squeeze(-1))
