from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, n, code):
        super().__init__()
        self.down = nn.Sequential(nn.Linear(n, 10), nn.SiLU(), nn.Linear(10, code))
        self.up = nn.Sequential(nn.Linear(code, 10), nn.SiLU(), nn.Linear(10, n))

    def forward(self, x):
        return self.up(self.down(x))
