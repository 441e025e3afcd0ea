from torch import nn

CELLS = {"lstm": nn.LSTM, "gru": nn.GRU}


class LanguageModel(nn.Module):
    def __init__(self, vocab, emb, hid, layers, kind):
        super().__init__()
        self.embed = nn.Embedding(vocab, emb)
        self.rnn = CELLS[kind](emb, hid, layers)
        self.drop = nn.Dropout(0.1)
        self.decode = nn.Linear(hid, vocab)

    def forward(self, x, state):
        out, state = self.rnn(self.drop(self.embed(x)), state)
        return self.decode(self.drop(out)), state
