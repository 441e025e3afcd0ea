import torch
from torch import nn


class Stateful:
    """mixin: carries `memory` from call to call, cut() stops the gradient at the border of a window"""

    memory = None

    def forget(self):
        self.memory = None

    def cut(self):
        self.memory = repackage(self.memory)


def repackage(h):
    if h is None:
        return None
    return h.detach() if isinstance(h, torch.Tensor) else tuple(repackage(v) for v in h)


class CharLSTM(Stateful, nn.Module):
    def __init__(self, n_chars, emb, hid):
        super().__init__()
        self.emb = nn.Embedding(n_chars, emb)
        self.rnn = nn.LSTM(emb, hid, num_layers=2)
        self.dec = nn.Linear(hid, n_chars)

    def forward(self, x):
        out, self.memory = self.rnn(self.emb(x), self.memory)
        return self.dec(out)
