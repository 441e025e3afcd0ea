import torch
from torch import nn
import torch.nn.functional as F


class GCN(nn.Module):
    def __init__(self, d_in, d_hidden, d_out, dropout=0.1):
        super().__init__()
        self.w1 = nn.Linear(d_in, d_hidden)
        self.w2 = nn.Linear(d_hidden, d_out)
        self.dropout = dropout

    def forward(self, x, adj):
        h = F.relu(adj @ self.w1(x))
        h = F.dropout(h, self.dropout, self.training)
        return adj @ self.w2(h)


class DotDecoder(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(d))
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, a, b):
        return (a * self.scale * b).sum(-1) + self.bias
