import torch
import torch.nn as nn


class NodeMemory(nn.Module):
    def __init__(self, n, dim, keep=0.8):
        super().__init__()
        self.register_buffer("table", torch.zeros(n, dim))
        self.keep = keep

    def read(self, idx):
        return self.table[idx]

    def absorb(self, ev, msg):
        who = torch.cat([ev.src, ev.dst])
        fresh = torch.cat([msg, msg])
        decay = torch.ones(self.table.size(0), 1)
        decay[who] = self.keep
        self.table = (self.table * decay).index_add(0, who, (1 - self.keep) * fresh)  # <- culprit

    def norm(self):
        return self.table.norm(dim=1).mean().item()


class TimeCode(nn.Module):
    def __init__(self, dim):
        super().__init__()
        # fixed frequencies, not learned
        self.register_buffer("freq", torch.logspace(0, -4, dim))

    def forward(self, t):
        return torch.cos(t.unsqueeze(1) * self.freq)


class LinkPredictor(nn.Module):
    def __init__(self, n, feat, dim):
        super().__init__()
        self.memory = NodeMemory(n, dim)
        self.clock = TimeCode(8)
        self.from_feat = nn.Linear(feat, dim)
        self.from_time = nn.Parameter(torch.randn(8, dim) * 0.1)
        self.offset = nn.Parameter(torch.zeros(()))

    def message(self, ev):
        return torch.tanh(self.from_feat(ev.feat)) + self.clock(ev.t) @ self.from_time

    def forward(self, a, b):
        return (self.memory.read(a) * self.memory.read(b)).sum(-1) + self.offset
