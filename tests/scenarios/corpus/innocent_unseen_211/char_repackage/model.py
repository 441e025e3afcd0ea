import torch
from torch import nn


class RNNModel(nn.Module):
    def __init__(self, vocab, emb, hid, layers):
        super().__init__()
        self.encoder = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid, layers, dropout=0.1)
        self.decoder = nn.Linear(hid, vocab)
        self.hid, self.layers = hid, layers

    def init_hidden(self, bsz):
        z = torch.zeros(self.layers, bsz, self.hid)
        return z, z.clone()

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.encoder(x), hidden)
        return self.decoder(out).flatten(0, 1), hidden
