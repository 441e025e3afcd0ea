from torch import nn


def convnet(c, k):
    return nn.Sequential(
        nn.Conv2d(1, c, 3, padding=1), nn.ReLU(), nn.Conv2d(c, c, 3, 2), nn.ReLU(), nn.Flatten(), nn.Linear(c * 16, k)
    )
