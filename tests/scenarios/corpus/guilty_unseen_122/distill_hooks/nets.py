from collections import OrderedDict

from torch import nn


def make_cnn(widths, classes=4):
    a, b = widths
    stage = lambda i, o: nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(), nn.AvgPool2d(2))
    return nn.Sequential(OrderedDict(
        stage1=stage(3, a),
        stage2=stage(a, b),
        pool=nn.AdaptiveAvgPool2d(2),
        flat=nn.Flatten(),
        fc=nn.Linear(4 * b, classes),
    ))
