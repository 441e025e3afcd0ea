from contextlib import contextmanager

import torch
from torch import nn


class RecursiveSAGE(nn.Module):
    def __init__(self, i, h, o):
        super().__init__()
        self.w1, self.w2 = nn.Linear(2 * i, h), nn.Linear(2 * h, o)
        self.known = {}
        self.reused = 0

    @contextmanager
    def minibatch(self, feats, nbrs):
        self.feats, self.nbrs = feats, nbrs
        try:
            yield self
        finally:
            self.known.clear()
            self.reused = 0

    def hidden(self, v):
        key = ("h1", v)
        if key in self.known:
            self.reused += 1
        else:
            around = self.feats[self.nbrs[v]].mean(0)
            self.known[key] = torch.relu(self.w1(torch.cat([self.feats[v], around])))
        return self.known[key]

    def forward(self, seeds):
        out = []
        for v in seeds:
            around = torch.stack([self.hidden(u) for u in self.nbrs[v]]).mean(0)
            out.append(self.w2(torch.cat([self.hidden(v), around])))
        return torch.stack(out)
