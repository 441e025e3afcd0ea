from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class StateCache(OrderedDict):
    def __init__(self, capacity):
        super().__init__()
        self.capacity = capacity

    def put(self, keys, states):
        for k, s in zip(keys.tolist(), states.detach().clone()):
            self[k] = s
            self.move_to_end(k)
        while len(self) > self.capacity:
            self.popitem(last=False)


class GRU4Rec(nn.Module):
    def __init__(self, n_items, dim=64):
        super().__init__()
        self.inp = nn.Embedding(n_items, dim)
        self.out = nn.Embedding(n_items, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.dim = dim
        self.cache = StateCache(500)

    def zero_state(self, n):
        return torch.zeros(n, self.dim)

    def forward(self, x, h, fresh):
        h = h.masked_fill(fresh.unsqueeze(1), 0.0)
        return self.cell(self.inp(x), h)

    def scores(self, h, items):
        return h @ self.out(items).t()


def top1_max(scores):
    pos = scores.diagonal().unsqueeze(1)
    w = torch.softmax(scores, dim=1)
    return (w * (torch.sigmoid(scores - pos) + torch.sigmoid(scores ** 2))).sum(1).mean()


def bpr(scores):
    pos = scores.diagonal().unsqueeze(1)
    return -F.logsigmoid(pos - scores).mean()
