from dataclasses import dataclass, fields, replace

import torch
from torch import nn


@dataclass
class Strand:
    forward: torch.Tensor
    content: torch.Tensor

    def map(self, fn):
        return replace(self, **{f.name: fn(getattr(self, f.name)) for f in fields(self)})


class ExonTagger(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.cell = nn.GRUCell(5, dim)
        self.out = nn.Linear(dim + 1, 1)
        self.decay = nn.Parameter(torch.tensor(2.0))

    def start(self, rows):
        return Strand(torch.zeros(rows, self.dim), torch.zeros(rows, 1))

    def forward(self, bases, strand):
        keep = torch.sigmoid(self.decay)
        h, c = strand.forward, strand.content
        logits = []
        for b in bases:
            c = keep * c + (1 - keep) * b[:, 2:].sum(-1, keepdim=True)
            h = self.cell(torch.cat([b, c], -1), h)
            logits.append(self.out(torch.cat([h, c], -1)).squeeze(-1))
        return torch.stack(logits), Strand(h, c)
