import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.conv = nn.Conv2d(c, c, 3, padding=1)
        self.bn = nn.BatchNorm2d(c)

    def forward(self, x):
        return torch.relu(x + self.bn(self.conv(x)))


class MiniResNet(nn.Module):
    def __init__(self, n_out=10):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.layers = nn.Sequential(Block(8), Block(8))
        self.fc = nn.Linear(8, n_out)

    def forward(self, x):
        x = self.layers(torch.relu(self.stem(x)))
        return self.fc(x.mean((2, 3)))


def pretrained():
    net = MiniResNet()
    for p in net.parameters():
        if p.dim() > 1:
            nn.init.kaiming_normal_(p)
    return net
