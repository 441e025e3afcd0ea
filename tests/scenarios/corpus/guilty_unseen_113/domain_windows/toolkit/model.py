from torch import nn


class EmotionNet(nn.Module):
    def __init__(self, mels, classes, hidden=20):
        super().__init__()
        self.rnn = nn.GRU(mels, hidden, batch_first=True)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h.mean(1))
