from typing import NamedTuple, Optional

import torch
from torch import nn


class Memory(NamedTuple):
    h: torch.Tensor
    c: torch.Tensor

    def cut(self):
        return Memory(*(t.detach() for t in self))


class ChordLM(nn.Module):
    def __init__(self, n_chords, dim, hidden):
        super().__init__()
        self.emb = nn.Embedding(n_chords, dim)
        self.cell = nn.LSTMCell(dim, hidden)
        self.out = nn.Linear(hidden, n_chords)
        self.memory: Optional[Memory] = None

    def forward(self, chord):
        self.memory = Memory(*self.cell(self.emb(chord), self.memory))
        return self.out(self.memory.h)

    def cut(self):
        if self.memory is not None:
            self.memory = self.memory.cut()
