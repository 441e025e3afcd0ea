from torch import nn


class FingerprintNet(nn.Module):
    def __init__(self, bits, hidden, out):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(bits, hidden), nn.ELU(), nn.Linear(hidden, hidden), nn.ELU(), nn.Linear(hidden, out)
        )

    def forward(self, x):
        return self.net(x)

    def loss(self, x, y):
        return nn.functional.smooth_l1_loss(self(x), y)
