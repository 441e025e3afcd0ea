import torch
from torch import nn


def repackage(h):
    """Wraps hidden states in new tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class LSTMModel(nn.Module):
    def __init__(self, vocab, emb, hidden):
        super().__init__()
        self.hidden = hidden
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hidden)
        self.drop = nn.Dropout(0.1)
        self.dec = nn.Linear(hidden, vocab)

    def init_hidden(self, batch):
        w = next(self.parameters())
        return (w.new_zeros(1, batch, self.hidden), w.new_zeros(1, batch, self.hidden))

    def forward(self, x, hidden):
        raw, hidden = self.rnn(self.emb(x), hidden)
        return self.dec(self.drop(raw)), hidden, raw
