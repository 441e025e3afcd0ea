from torch import nn
from geometry import to_sphere


class Backbone(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 24), nn.PReLU(), nn.Linear(24, k))

    def forward(self, x):
        return to_sphere(self.body(x))
