from torch import nn


class CharLM(nn.Module):
    def __init__(self, vocab, hid):
        super().__init__()
        self.emb = nn.Embedding(vocab, hid)
        self.cell = nn.LSTM(hid, hid, batch_first=True)
        self.out = nn.Linear(hid, vocab)
        self.state = None

    def forward(self, ids):
        y, self.state = self.cell(self.emb(ids), self.state)
        return self.out(y)

    def cut(self):
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)
