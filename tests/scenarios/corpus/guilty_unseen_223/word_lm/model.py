import torch.nn as nn


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.GRUCell(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid
        self.init_weights()

    def init_weights(self):
        r = 0.1
        nn.init.uniform_(self.encoder.weight, -r, r)
        nn.init.zeros_(self.decoder.bias)
        nn.init.uniform_(self.decoder.weight, -r, r)

    def forward(self, tokens, hidden):
        outs = []
        emb = self.encoder(tokens)
        for t in range(tokens.size(0)):
            hidden = self.rnn(emb[t], hidden)
            outs.append(self.decoder(hidden))
        return outs, hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return weight.new_zeros(bsz, self.nhid)
