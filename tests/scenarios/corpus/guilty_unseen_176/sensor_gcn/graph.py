from __future__ import annotations

import torch
import torch.nn as nn
import torch.nn.functional as F


class LearnedAdjacency(nn.Module):
    """Graph WaveNet style adaptive adjacency from two node embeddings."""

    def __init__(self, nodes: int, rank: int = 8):
        super().__init__()
        self.source = nn.Parameter(torch.randn(nodes, rank) * 0.3)
        self.target = nn.Parameter(torch.randn(nodes, rank) * 0.3)

    def forward(self) -> torch.Tensor:
        return F.softmax(F.relu(self.source @ self.target.T), dim=-1)


class DiffusionConv(nn.Module):
    def __init__(self, c_in: int, c_out: int, hops: int = 2):
        super().__init__()
        self.mix = nn.Linear(c_in * (hops + 1), c_out)
        self.hops = hops

    def forward(self, x: torch.Tensor, adj: torch.Tensor) -> torch.Tensor:
        out = [x]
        for _ in range(self.hops):
            out.append(adj @ out[-1])
        return self.mix(torch.cat(out, -1))


class SensorNet(nn.Module):
    def __init__(self, nodes: int, lags: int, hidden: int = 24):
        super().__init__()
        self.adjacency = LearnedAdjacency(nodes)
        self.conv1 = DiffusionConv(lags, hidden)
        self.conv2 = DiffusionConv(hidden, 1)

    def forward(self, x: torch.Tensor, adj: torch.Tensor) -> torch.Tensor:
        return self.conv2(F.relu(self.conv1(x, adj)), adj).squeeze(-1)
