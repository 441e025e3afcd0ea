import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, width, actions, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(width, hidden), nn.Tanh(), nn.Linear(hidden, actions))

    def act(self, obs):
        dist = torch.distributions.Categorical(logits=self.net(obs))
        action = dist.sample()
        return action, dist.log_prob(action).sum(), dist.entropy().mean()


def returns(rewards, gamma=0.9):
    out, acc = [], 0.0
    for r in reversed(rewards):
        acc = r + gamma * acc
        out.append(acc)
    out = torch.tensor(out[::-1])
    return (out - out.mean()) / (out.std() + 1e-6)
