import torch
from torch import nn
from torch.distributions import Normal


class RecurrentAgent(nn.Module):
    gamma = 0.95

    def __init__(self, obs_dim, act_dim, hidden=24):
        super().__init__()
        self.core = nn.GRUCell(obs_dim, hidden)
        self.mu = nn.Linear(hidden, act_dim)
        self.value = nn.Linear(hidden, 1)
        self.memory = None

    def reset(self, n):
        self.memory = torch.zeros(n, self.core.hidden_size)

    def step(self, obs):
        self.memory = self.core(obs, self.memory)  # <- culprit
        return Normal(self.mu(self.memory), 0.3), self.value(self.memory).squeeze(-1)

    def loss(self, logps, values, rewards):
        ret = values[-1].detach()
        total = 0.0
        for logp, value, reward in zip(reversed(logps), reversed(values), reversed(rewards)):
            ret = reward + self.gamma * ret
            adv = ret - value
            total = total - (adv.detach() * logp).mean() + 0.5 * adv.pow(2).mean()
        return total / len(rewards)
