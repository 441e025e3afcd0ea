import torch
import torch.nn as nn


class StatefulGRULM(nn.Module):
    """Keeps its own hidden state so that callers do not have to thread it through."""

    def __init__(self, vocab, emb, nhid):
        super().__init__()
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(vocab, emb)
        self.rnn = nn.GRU(emb, nhid)
        self.decoder = nn.Linear(nhid, vocab)
        self.nhid = nhid
        self.hidden = None

    def reset(self, bsz):
        self.hidden = torch.zeros(1, bsz, self.nhid)

    def forward(self, tokens):
        out, self.hidden = self.rnn(self.drop(self.encoder(tokens)), self.hidden)  # <- culprit
        return self.decoder(self.drop(out))
