import torch
from torch import nn


class ChunkEncoder(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.gru = nn.GRU(d, h, batch_first=True)
        self.carry = False
        self.past = None

    def context(self, x):
        if self.past is None or not self.carry or self.past.shape[1] != x.shape[0]:
            return x.new_zeros(1, x.shape[0], self.gru.hidden_size)
        return self.past

    def forward(self, x):
        seq, self.past = self.gru(x, self.context(x))  # <- culprit
        return seq


class Dictation(nn.Module):
    def __init__(self, mels=10, phones=8):
        super().__init__()
        self.encoder = ChunkEncoder(mels, 24)
        self.out = nn.Linear(24, phones)

    def forward(self, x):
        return self.out(self.encoder(x))
