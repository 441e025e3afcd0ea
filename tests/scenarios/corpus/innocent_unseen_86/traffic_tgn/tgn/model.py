import torch
from torch import nn


class MemoryNet(nn.Module):
    def __init__(self, n, dim, adj):
        super().__init__()
        self.register_buffer("adj", adj)
        self.memory = torch.zeros(n, dim)
        self.update = nn.GRUCell(2, dim)
        self.head = nn.Linear(2 * dim, 1)
        self._pending = None

    def forward(self, flow):
        msg = torch.stack([flow, self.adj @ flow], 1)
        new = self.update(msg, self.memory)
        self._pending = new
        return flow + self.head(torch.cat([new, self.adj @ new], 1)).squeeze(1)

    def commit(self):
        """Called after the optimizer step: the memory becomes a plain value."""
        self.memory = self._pending.detach()
