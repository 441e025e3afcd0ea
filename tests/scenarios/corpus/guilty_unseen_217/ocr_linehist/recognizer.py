from torch import nn


class ConvBlock(nn.Sequential):
    def __init__(self, cin, cout, pool):
        super().__init__(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(), nn.MaxPool2d(pool))


class CRNN(nn.Module):
    def __init__(self, n_classes, height, ch=12, hidden=32):
        super().__init__()
        self.backbone = nn.Sequential(ConvBlock(1, ch, (2, 2)), ConvBlock(ch, ch, (2, 1)))
        self.rnn = nn.GRU(ch * height // 4, hidden, bidirectional=True)
        self.out = nn.Linear(2 * hidden, n_classes)

    def forward(self, x):
        f = self.backbone(x)
        b, c, h, w = f.shape
        seq, _ = self.rnn(f.permute(3, 0, 1, 2).reshape(w, b, c * h))
        return self.out(seq).log_softmax(-1)
