from torch import nn


def generator(noise, hidden, days):
    return nn.Sequential(nn.Linear(noise, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, days), nn.Softplus())


def critic(days, hidden):
    return nn.Sequential(nn.Linear(days, hidden), nn.LeakyReLU(0.2), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))
