from torch import nn


class Stateful(nn.Module):
    """Keeps what the recurrent part remembers between two calls."""

    hidden = None

    def forget(self):
        self.hidden = None

    def carry(self, rnn, x):
        out, hc = rnn(x, self.hidden)  # <- culprit
        self.hidden = hc  # <- culprit
        return out


class CharModel(Stateful):
    def __init__(self, vocab, dim=16, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, width, batch_first=True)
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        return self.head(self.carry(self.rnn, self.embed(ids)))
