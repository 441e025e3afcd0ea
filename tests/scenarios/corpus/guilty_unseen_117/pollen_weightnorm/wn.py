import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class _Reparam(nn.Module):
    """weight = g * v / ||v||, subclasses only have to use self.weight"""

    def __init__(self, rows, cols):
        super().__init__()
        v = torch.empty(rows, cols)
        nn.init.kaiming_uniform_(v, a=math.sqrt(5))
        self.v = nn.Parameter(v)
        self.g = nn.Parameter(v.norm(dim=1, keepdim=True).clone())
        self.weight = self.compute()  # <- culprit

    def compute(self):
        return self.g * self.v / self.v.norm(dim=1, keepdim=True)


class WNLinear(_Reparam):
    def __init__(self, n_in, n_out):
        super().__init__(n_out, n_in)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return F.linear(x, self.weight, self.bias)  # <- culprit

    def extra_repr(self):
        return '%d -> %d' % (self.v.size(1), self.v.size(0))
