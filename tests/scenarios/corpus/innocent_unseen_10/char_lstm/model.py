import torch
from torch import nn


def repackage_hidden(h):
    """Wraps hidden states in new tensors, as in the word_language_model example."""
    if h is None:
        return None
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class StatefulLSTM(nn.Module):
    def __init__(self, vocab, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hidden)
        self.out = nn.Linear(hidden, vocab)
        self.state = None

    def swap_state(self, new):
        old, self.state = self.state, new
        return old

    def forward(self, x):
        y, self.state = self.rnn(self.emb(x), repackage_hidden(self.state))
        return self.out(y)
