from torch import nn


class DistMult(nn.Module):
    def __init__(self, relations, dim):
        super().__init__()
        self.rel = nn.Embedding(relations, dim)

    def forward(self, table, head, rel, tail):
        return (table[head] * self.rel(rel) * table[tail]).sum(dim=-1)
