"""Separate policy and value networks."""
import torch.nn as nn


def mlp(sizes, act=nn.Tanh):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


class Policy(nn.Module):
    def __init__(self, obs_dim, n_actions, hidden=32):
        super().__init__()
        self.net = mlp([obs_dim, hidden, n_actions])

    def forward(self, obs):
        return self.net(obs).log_softmax(-1)


class Value(nn.Module):
    def __init__(self, obs_dim, hidden=32):
        super().__init__()
        self.net = mlp([obs_dim, hidden, hidden, 1])

    def forward(self, obs):
        return self.net(obs).squeeze(-1)
