import torch
import torch.nn as nn


class CharRNN(nn.Module):
    """embedding - tanh RNN - linear"""

    def __init__(self, n_chars, n_emb, n_hid):
        super().__init__()
        self.n_hid = n_hid
        self.encoder = nn.Embedding(n_chars, n_emb)
        self.i2h = nn.Linear(n_emb, n_hid)
        self.h2h = nn.Linear(n_hid, n_hid, bias=False)
        self.decoder = nn.Linear(n_hid, n_chars)
        for w in (self.encoder.weight, self.decoder.weight):
            nn.init.uniform_(w, -0.1, 0.1)

    def init_hidden(self, bsz):
        return torch.zeros(bsz, self.n_hid)

    def forward(self, tokens, hidden):
        inputs = self.i2h(self.encoder(tokens))
        outputs = []
        for x in inputs:
            hidden = torch.tanh(x + self.h2h(hidden))
            outputs.append(hidden)
        return self.decoder(torch.stack(outputs)), hidden
