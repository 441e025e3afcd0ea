"""Causal encoder around the slot memory."""
import torch
from torch import nn

from .memory import SlotMemory


class ScoreReader(nn.Module):
    def __init__(self, vocab, dim, n_slots, heads=2):
        super().__init__()
        self.notes = nn.Embedding(vocab, dim)
        self.place = nn.Embedding(64, dim)
        self.memory = SlotMemory(n_slots, dim)
        self.block = nn.TransformerEncoderLayer(dim, heads, 2 * dim, dropout=0.0, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def mask(self, n):
        m = self.memory.n_slots
        mask = torch.ones(m + n, m + n).triu(1).bool()
        mask[:m] = False
        return mask

    def forward(self, x):
        h = self.notes(x) + self.place(torch.arange(x.size(1)))
        h = self.memory.read(h)
        h = self.block(h, src_mask=self.mask(x.size(1)))
        return self.out(self.memory.write(h))
