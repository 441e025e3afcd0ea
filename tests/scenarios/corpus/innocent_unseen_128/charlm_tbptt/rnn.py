import torch
from torch import nn


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class CharRNN(nn.Module):
    def __init__(self, vocab, d):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.LSTM(d, d, batch_first=True)
        self.out = nn.Linear(d, vocab)

    def init_hidden(self, n):
        w = next(self.parameters())
        return w.new_zeros(1, n, self.rnn.hidden_size), w.new_zeros(1, n, self.rnn.hidden_size)

    def forward(self, x, h):
        y, h = self.rnn(self.emb(x), h)
        return self.out(y), h
