import torch.nn as nn


def block(a, b):
    return [nn.Linear(a, b), nn.LeakyReLU(0.2)]


def make_painter(noise):
    return nn.Sequential(*block(noise, 32), *block(32, 32), nn.Linear(32, 2))


def make_critic():
    return nn.Sequential(*block(2, 32), *block(32, 32), nn.Linear(32, 1), nn.Sigmoid())
