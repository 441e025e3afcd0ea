import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, width=32, n_classes=2):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
        )
        self.out = nn.Linear(width, n_classes)

    def forward(self, x):
        return self.out(self.body(x))
