from torch import nn


class WingNet(nn.Module):
    def __init__(self, species):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 5, stride=2, padding=2)
        self.mid = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.act = nn.Hardswish()
        self.head = nn.Linear(16, species)

    def forward(self, x):
        x = self.act(self.stem(x))
        x = self.act(self.mid(x))
        return self.head(x.mean(dim=(2, 3)))
