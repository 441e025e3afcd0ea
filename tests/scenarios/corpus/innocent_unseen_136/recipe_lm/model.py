import torch
import torch.nn as nn


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid):
        super().__init__()
        self.ntoken = ntoken
        self.nhid = nhid
        self.drop = nn.Dropout(0.1)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(1, bsz, self.nhid), w.new_zeros(1, bsz, self.nhid)

    def forward(self, data, hidden):
        out, hidden = self.rnn(self.drop(self.encoder(data)), hidden)
        return self.decoder(self.drop(out)), hidden
