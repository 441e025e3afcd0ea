from torch import nn


class SensorEncoder(nn.Module):
    def __init__(self, channels, dim):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv1d(channels, 12, 5, stride=2), nn.Tanh(),
            nn.Conv1d(12, 12, 3, stride=2), nn.Tanh(), nn.Flatten())
        self.to_z = nn.LazyLinear(dim)
        self.dec = nn.Linear(dim, channels)

    def forward(self, x):
        z = self.to_z(self.enc(x))
        return z, self.dec(z)
