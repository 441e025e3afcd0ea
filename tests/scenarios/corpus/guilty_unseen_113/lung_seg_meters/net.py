from torch import nn


class TinySeg(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, ch, 3, padding=1), nn.ReLU(),
                                 nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU())
        self.head = nn.Conv2d(ch, 1, 1)

    def forward(self, x):
        return self.head(self.enc(x))
