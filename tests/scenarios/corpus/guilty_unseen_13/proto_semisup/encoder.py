from torch import nn
from torch.nn import functional as F


class Projection(nn.Module):
    def __init__(self, inp, out, width=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inp, width), nn.GELU(), nn.Linear(width, out))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)
