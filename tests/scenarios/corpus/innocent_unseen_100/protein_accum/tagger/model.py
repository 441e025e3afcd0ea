import torch
from torch import nn


class DilatedTagger(nn.Module):
    def __init__(self, r):
        super().__init__()
        self.embed = nn.Embedding(r.residues, r.dim)
        self.convs = nn.ModuleList(nn.Conv1d(r.dim, r.dim, 3, padding=d, dilation=d) for d in (1, 2))
        self.out = nn.Linear(r.dim, r.states)

    def forward(self, seq):
        h = self.embed(seq).transpose(1, 2)
        for conv in self.convs:
            h = h + torch.relu(conv(h))
        return self.out(h.transpose(1, 2))
