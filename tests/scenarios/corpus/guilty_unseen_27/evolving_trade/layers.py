import torch
from torch import nn


class EvolvingConv(nn.Module):
    """x -> A x W_t with W_t = GRU(W_{t-1}); rows of W are the sequence elements."""

    def __init__(self, width):
        super().__init__()
        self.initial_weight = nn.Parameter(torch.empty(width, width))
        self.recurrent = nn.GRUCell(width, width)
        self.weight = None
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.xavier_uniform_(self.initial_weight)

    def reinitialize_weight(self):
        self.weight = None

    def forward(self, x, adj):
        before = self.initial_weight if self.weight is None else self.weight  # <- culprit
        self.weight = self.recurrent(before, before)  # <- culprit
        return torch.sparse.mm(adj, x @ self.weight)
