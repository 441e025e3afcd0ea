import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, out=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(3),
            nn.Flatten(), nn.Linear(144, out), nn.ReLU(),
        )

    def forward(self, x):
        return self.net(x)


class AgeHead(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.fc = nn.Sequential(nn.Linear(d, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, z):
        return self.fc(z).squeeze(1)


class SmileHead(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.fc = nn.Linear(d, 2)

    def forward(self, z):
        return self.fc(z)
