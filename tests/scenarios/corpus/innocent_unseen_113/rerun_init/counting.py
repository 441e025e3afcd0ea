import torch
from torch import nn


class CountNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 1, 1), nn.Softplus())
        self.scale = nn.Parameter(torch.tensor(0.02))

    def forward(self, x):
        d = self.net(x) * self.scale
        return d.sum((1, 2, 3)), d


def scenes(n, side=14):
    count = torch.randint(1, 9, (n,))
    img = torch.zeros(n, 1, side, side)
    for i, c in enumerate(count.tolist()):
        at = torch.randint(0, side, (2, c))
        img[i, 0, at[0], at[1]] = 1.0
    return img + 0.05 * torch.randn_like(img), count.float()
