from torch import nn


class MiniCTC(nn.Module):
    def __init__(self, feats=6, symbols=6, hid=14):
        super().__init__()
        self.sub = nn.Conv1d(feats, hid, 3, stride=2, padding=1)
        self.rnn = nn.GRU(hid, hid, batch_first=True)
        self.out = nn.Linear(hid, symbols)

    def forward(self, x):
        h = self.sub(x.transpose(1, 2)).relu().transpose(1, 2)
        return self.out(self.rnn(h)[0]).log_softmax(-1).transpose(0, 1)
