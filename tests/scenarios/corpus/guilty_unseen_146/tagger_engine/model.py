import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self, vocab, tags, d=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.GRU(d, d, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * d, tags)

    def forward(self, w):
        h, _ = self.rnn(self.emb(w))
        return self.out(h)
