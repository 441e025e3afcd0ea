import torch.nn as nn


class FaceNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(20, 24), nn.GELU(), nn.Linear(24, 12), nn.GELU())
        self.age = nn.Linear(12, 1)
        self.gender = nn.Linear(12, 2)

    def forward(self, x):
        h = self.stem(x)
        return self.age(h).squeeze(1), self.gender(h)
