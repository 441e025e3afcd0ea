import torch
from torch import nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self, n_obs, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h), validate_args=False), self.v(h).squeeze(-1)

    def loss(self, rollout, gamma):
        returns = torch.empty_like(rollout.rewards)
        g = 0.0
        for t in range(len(returns) - 1, -1, -1):
            g = rollout.rewards[t] + gamma * g
            returns[t] = g
        advantage = returns - rollout.values.detach()
        policy = -(advantage * rollout.log_probs).mean()
        value = (returns - rollout.values).pow(2).mean()
        return policy + 0.5 * value - 0.01 * rollout.entropies.mean()
