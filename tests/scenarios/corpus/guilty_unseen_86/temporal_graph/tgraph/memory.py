import torch
from torch import nn


class NodeMemory(nn.Module):
    """Decaying per-node memory fed by linear messages."""

    def __init__(self, n_nodes, feat_dim, dim, decay=0.9):
        super().__init__()
        self.message = nn.Linear(feat_dim, dim)
        self.decay = decay
        self.register_buffer("state", torch.zeros(n_nodes, dim), persistent=False)

    def write(self, nodes, feat):
        msg = torch.tanh(self.message(feat))
        fresh = torch.zeros_like(self.state).index_add(0, nodes, msg)
        self.state = self.decay * self.state + (1 - self.decay) * fresh  # <- culprit

    def read(self, nodes):
        return self.state[nodes]  # <- culprit
