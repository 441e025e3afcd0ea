import torch
import torch.nn as nn


class NodeMemory:
    def __init__(self, nodes, dim, decay=0.9):
        self.nodes, self.dim, self.decay = nodes, dim, decay
        self.table = torch.zeros(nodes, dim)

    def read(self, idx):
        return self.table[idx]

    def write(self, idx, msg):
        inc = torch.zeros(self.nodes, self.dim).index_add(0, idx, msg)
        self.table = self.decay * self.table + inc  # <- culprit


class TGN(nn.Module):
    def __init__(self, nodes, feat, dim=16):
        super().__init__()
        self.memory = NodeMemory(nodes, dim)
        self.message = nn.Linear(feat, dim)
        self.scorer = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, 1))

    def link(self, a, b):
        z = torch.cat([self.memory.read(a), self.memory.read(b)], 1)
        return self.scorer(z).squeeze(1)

    def observe(self, src, dst, x):
        m = self.message(x)
        self.memory.write(src, m)
        self.memory.write(dst, 0.5 * m)
