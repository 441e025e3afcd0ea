from torch import nn


def mlp(a, b, act):
    return nn.Sequential(nn.Linear(a, 64), act(), nn.Linear(64, 64), act(), nn.Linear(64, b))


def build_pair(z, cols):
    return mlp(z, cols, nn.ReLU), mlp(cols, 1, nn.SiLU)
