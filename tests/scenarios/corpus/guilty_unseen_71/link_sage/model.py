import torch
from torch import nn


class SageConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.own = nn.Linear(d_in, d_out)
        self.nbr = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x, edges):
        src, dst = edges
        total = torch.zeros_like(x).index_add(0, dst, x[src])
        degree = torch.bincount(dst, minlength=len(x)).clamp(min=1).unsqueeze(1)
        return self.own(x) + self.nbr(total / degree)


class SageEncoder(nn.Module):
    def __init__(self, d_in, hidden, d_out):
        super().__init__()
        self.first = SageConv(d_in, hidden)
        self.second = SageConv(hidden, d_out)

    def forward(self, x, edges):
        return self.second(torch.relu(self.first(x, edges)), edges)


def link_scores(z, pairs):
    return (z[pairs[0]] * z[pairs[1]]).sum(-1)
