import copy

import torch
from torch import nn


class Speaker(nn.Module):
    def __init__(self, vocab, d=18):
        super().__init__()
        self.vocab = vocab
        self.emb = nn.Embedding(vocab + 1, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(d, vocab)

    def _shift(self, tokens):
        bos = torch.full((len(tokens), 1), self.vocab)
        return torch.cat([bos, tokens], 1)

    def logp(self, tokens):
        h, _ = self.rnn(self.emb(self._shift(tokens[:, :-1])))
        return self.out(h).log_softmax(-1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1)

    @torch.no_grad()
    def sample(self, n, length):
        tokens = torch.zeros(n, 0, dtype=torch.long)
        for _ in range(length):
            h, _ = self.rnn(self.emb(self._shift(tokens)))
            tokens = torch.cat([tokens, torch.multinomial(self.out(h[:, -1]).softmax(-1), 1)], 1)
        return tokens


def sync(model):
    twin = copy.deepcopy(model)
    for p in twin.parameters():
        p.requires_grad = False
    return twin
