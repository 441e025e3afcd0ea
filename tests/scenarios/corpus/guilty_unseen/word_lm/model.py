import torch
import torch.nn as nn


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.i2h = nn.Linear(ninp, nhid)
        self.h2h = nn.Linear(nhid, nhid, bias=False)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid

    def forward(self, inputs, hidden):
        emb = self.i2h(self.encoder(inputs))
        outs = []
        for t in range(emb.size(0)):
            hidden = torch.tanh(emb[t] + self.h2h(hidden))
            outs.append(hidden)
        return self.decoder(torch.stack(outs)), hidden

    def init_hidden(self, bsz):
        return torch.zeros(bsz, self.nhid)
