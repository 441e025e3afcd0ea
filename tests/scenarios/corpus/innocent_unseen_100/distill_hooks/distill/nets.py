from torch import nn


def teacher(n_in, n_out):
    net = nn.Sequential(nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, n_out))
    return net.requires_grad_(False)


def student(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 12), nn.ReLU(), nn.Linear(12, n_out))
