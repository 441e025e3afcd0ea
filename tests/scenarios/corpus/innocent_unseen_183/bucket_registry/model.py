import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab=40, tags=5, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, tags)

    def forward(self, tokens):
        hidden, last = self.rnn(self.emb(tokens))
        return self.out(hidden), last


def make_batch(gen, vocab=40, tags=5):
    length = int(torch.randint(2, 25, (1,), generator=gen))
    tokens = torch.randint(vocab, (6, length), generator=gen)
    shifted = torch.roll(tokens, 1, dims=1)
    shifted[:, 0] = 0
    return tokens, (tokens + shifted) % tags
