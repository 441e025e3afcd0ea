import torch
from torch import nn


class FraudNet(nn.Module):
    """Account memory; notes of one batch are folded in when the next one is scored."""

    def __init__(self, n, dim=8):
        super().__init__()
        self.n, self.dim = n, dim
        self.msg = nn.Linear(2 * dim + 1, dim)
        self.cell = nn.GRUCell(dim, dim)
        self.score = nn.Sequential(nn.Linear(2 * dim + 1, dim), nn.ReLU(), nn.Linear(dim, 1))
        self.start()

    def start(self):
        self.memory = torch.zeros(self.n, self.dim)
        self.notes = []

    def note(self, a, b, amount):
        self.notes.append((a, b, amount))

    def fold(self):
        mem = self.memory
        for a, b, amount in self.notes:
            m = torch.tanh(self.msg(torch.cat([mem[a], mem[b], amount], 1)))
            mem = mem.index_copy(0, a, self.cell(m, mem[a]))
        self.notes.clear()
        self.memory = mem
        return mem

    def settle(self):
        self.memory = self.memory.detach()

    def forward(self, a, b, amount):
        mem = self.fold()
        return self.score(torch.cat([mem[a], mem[b], amount], 1)).squeeze(1)
