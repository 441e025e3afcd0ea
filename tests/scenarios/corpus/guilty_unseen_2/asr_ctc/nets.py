from torch import nn


class AcousticModel(nn.Module):
    def __init__(self, feat, hidden, vocab):
        super().__init__()
        self.sub = nn.Conv1d(feat, hidden, 3, stride=2, padding=1)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, vocab)

    def forward(self, x):
        h = self.sub(x.transpose(1, 2)).relu().transpose(1, 2)
        h, _ = self.rnn(h)
        return self.out(h).log_softmax(-1), h.mean(1)
