import torch.nn as nn


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))
