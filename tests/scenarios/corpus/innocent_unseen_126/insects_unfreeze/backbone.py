import torch
from torch import nn


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stage1, self.stage2 = block(3, 6), block(6, 10)

    def forward(self, x):
        return self.stage2(self.stage1(x)).mean((2, 3))


def pretrained():
    net = Backbone()
    with torch.no_grad():
        for _ in range(5):
            net(torch.randn(32, 3, 6, 6))
    for p in net.parameters():
        p.requires_grad = False
    return net


class Classifier(nn.Module):
    def __init__(self, backbone, n):
        super().__init__()
        self.backbone, self.head = backbone, nn.Linear(10, n)

    def forward(self, x):
        return self.head(self.backbone(x))
