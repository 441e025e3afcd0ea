import torch
import torch.nn as nn


def normalise(adj):
    a = adj + torch.eye(adj.size(0))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x, a):
        return a @ self.lin(x) + self.bias


class GCN(nn.Module):
    def __init__(self, n_in, n_hid, n_out, p=0.3):
        super().__init__()
        self.conv1 = GraphConv(n_in, n_hid)
        self.conv2 = GraphConv(n_hid, n_out)
        self.drop = nn.Dropout(p)

    def forward(self, x, a):
        x = torch.relu(self.conv1(self.drop(x), a))
        return self.conv2(self.drop(x), a)
