import torch
from torch import nn

from .world import WIDTH


class Actor(nn.Module):
    def __init__(self, act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(WIDTH, 24), nn.ELU(), nn.Linear(24, act))
        self.log_std = nn.Parameter(torch.full((act,), -1.0))

    def forward(self, state):
        mean = self.net(state)
        return torch.tanh(mean + self.log_std.exp() * torch.randn_like(mean))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(WIDTH, 24), nn.ELU(), nn.Linear(24, 1))

    def forward(self, state):
        return self.net(state).squeeze(-1)


def lambda_returns(rewards, values, gamma=0.95, lam=0.9):
    last, out = values[-1], []
    for t in reversed(range(len(rewards))):
        last = rewards[t] + gamma * ((1 - lam) * values[t + 1] + lam * last)
        out.append(last)
    return torch.stack(out[::-1])
