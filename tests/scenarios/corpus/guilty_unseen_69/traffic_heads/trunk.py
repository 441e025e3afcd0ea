from torch import nn


class Trunk(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Flatten(), nn.Linear(inputs, width), nn.SiLU(), nn.Linear(width, width), nn.Tanh()
        )

    def forward(self, x):
        return self.layers(x)
