import torch
from torch import nn


class Stateful:
    """Mixin: a recurrent state as an ordinary attribute."""

    @property
    def state(self):
        return self.__dict__.get("_carry")

    @state.setter
    def state(self, hc):
        object.__setattr__(self, "_carry", None if hc is None else tuple(s.detach() for s in hc))


class StreamModel(Stateful, nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, 24)
        self.rnn = nn.LSTM(24, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def __setattr__(self, k, v):
        if k == "state":
            Stateful.state.fset(self, v)
        else:
            super().__setattr__(k, v)

    def __getstate__(self):
        d = dict(self.__dict__)
        if d.get("_carry") is not None:
            d["_carry"] = [s.tolist() for s in d["_carry"]]
        return d

    def __setstate__(self, d):
        carry = d.pop("_carry", None)
        super().__setstate__(d)
        self.state = None if carry is None else tuple(torch.tensor(s) for s in carry)

    def forward(self, x, hc):
        z, hc = self.rnn(self.emb(x), hc)
        return self.out(z), hc
