import torch
from torch import nn


class LockedDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if not self.training or not self.p:
            return x
        mask = x.new_empty(1, x.size(1), x.size(2)).bernoulli_(1 - self.p) / (1 - self.p)
        return x * mask


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers, drop=0.2):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        sizes = [ninp] + [nhid] * (nlayers - 1) + [ninp]
        self.rnns = nn.ModuleList(nn.LSTM(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.lock = LockedDropout(drop)
        self.decoder = nn.Linear(ninp, ntoken)
        self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)

    def forward(self, x, hidden):
        raw = self.lock(self.encoder(x))
        new_hidden = []
        for rnn, state in zip(self.rnns, hidden):
            raw, state = rnn(raw, state)
            new_hidden.append(state)
            raw_out = raw
            raw = self.lock(raw)
        return self.decoder(raw), new_hidden, raw_out

    def init_hidden(self, bsz):
        return [
            (torch.zeros(1, bsz, r.hidden_size), torch.zeros(1, bsz, r.hidden_size)) for r in self.rnns
        ]
