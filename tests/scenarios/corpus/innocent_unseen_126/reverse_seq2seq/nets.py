import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab, h):
        super().__init__()
        self.embedding = nn.Embedding(vocab, h)
        self.gru = nn.GRU(h, h, batch_first=True)

    def forward(self, x):
        return self.gru(self.embedding(x))


class Decoder(nn.Module):
    def __init__(self, vocab, h):
        super().__init__()
        self.embedding = nn.Embedding(vocab, h)
        self.attn = nn.Linear(h, h, bias=False)
        self.gru = nn.GRUCell(2 * h, h)
        self.out = nn.Linear(h, vocab)
        self.last_attention = None

    def forward(self, tok, h, memory):
        score = (self.attn(h).unsqueeze(1) * memory).sum(-1).softmax(1)
        self.last_attention = score
        ctx = (score.unsqueeze(-1) * memory).sum(1)
        h = self.gru(torch.cat([self.embedding(tok), ctx], 1), h)
        return self.out(h), h
