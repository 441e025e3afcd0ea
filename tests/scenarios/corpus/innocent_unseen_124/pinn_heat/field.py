from torch import nn


class Field(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        seq = [nn.Linear(2, width), nn.Tanh()]
        for _ in range(depth - 1):
            seq += [nn.Linear(width, width), nn.Tanh()]
        self.f = nn.Sequential(*seq, nn.Linear(width, 1))

    def forward(self, xt):
        return self.f(xt)
