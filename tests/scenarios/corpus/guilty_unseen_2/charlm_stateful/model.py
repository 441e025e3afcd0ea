from torch import nn


class CharLM(nn.Module):
    def __init__(self, vocab, dim, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.dec = nn.Linear(hidden, vocab)
        self.hidden = None

    def reset(self):
        self.hidden = None

    def forward(self, x):
        out, self.hidden = self.rnn(self.emb(x), self.hidden)  # <- culprit
        return self.dec(out)
