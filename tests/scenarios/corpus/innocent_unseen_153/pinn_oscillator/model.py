import torch.nn as nn


class FCN(nn.Module):
    def __init__(self, n_in, n_out, width, depth):
        super().__init__()
        layers = [nn.Linear(n_in, width), nn.Tanh()]
        for _ in range(depth - 1):
            layers += [nn.Linear(width, width), nn.Tanh()]
        self.net = nn.Sequential(*layers, nn.Linear(width, n_out))

    def forward(self, x):
        return self.net(x)
