from torch import nn


class Tagger(nn.Module):
    def __init__(self, vocab, tags, dim=16, hidden=20):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, tags)

    def forward(self, words):
        h, _ = self.rnn(self.embed(words))
        return self.out(h)
