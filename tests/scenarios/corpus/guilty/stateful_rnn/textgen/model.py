import torch
from torch import nn

from .state import StateStore


class CharModel(nn.Module):
    def __init__(self, vocab, dim=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)
        self.state = StateStore()

    def forward(self, x):
        h0 = self.state.get("rnn", torch.zeros(1, x.shape[0], self.rnn.hidden_size))  # <- culprit
        y, h = self.rnn(self.embed(x), h0)  # <- culprit
        self.state.put("rnn", h)  # <- culprit
        return self.out(y)
