# gradwatch-corpus: kind=none
"""REINFORCE on a windy corridor, with a dynamics model trained at each move."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(4)
torch.set_num_threads(1)


@dataclass
class Episode:
    log_probs: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def add(self, dist, action, reward):
        self.log_probs.append(dist.log_prob(action))
        self.entropies.append(dist.entropy())
        self.rewards.append(reward)

    def loss(self, gamma=0.95):
        g, returns = 0.0, []
        for r in reversed(self.rewards):
            g = r + gamma * g
            returns.insert(0, g)
        returns = torch.tensor(returns)
        adv = (returns - returns.mean()) / (returns.std() + 1e-5)
        return -(torch.stack(self.log_probs) * adv).sum() - 0.01 * torch.stack(self.entropies).sum()


class Corridor:
    def __init__(self, length=1.0):
        self.length = length

    def reset(self):
        self.pos, self.wind = torch.zeros(1), 0.1 * torch.randn(1)
        return torch.cat([self.pos, self.wind])

    def step(self, a):
        self.pos = (self.pos + 0.1 * (a - 1) + 0.3 * self.wind).clamp(-1, 1)
        self.wind = 0.8 * self.wind + 0.05 * torch.randn(1)
        return torch.cat([self.pos, self.wind]), -float((self.pos - 0.5).abs())


policy = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 3))
dynamics = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2))
opt_policy = torch.optim.Adam(policy.parameters(), lr=5e-3)
opt_dyn = torch.optim.Adam(dynamics.parameters(), lr=3e-3)
env = Corridor()

for ep in range(14):
    obs, episode = env.reset(), Episode()
    model_error = 0.0
    for t in range(30):
        dist = Categorical(logits=policy(obs))
        action = dist.sample()
        nxt, reward = env.step(int(action))
        episode.add(dist, action, reward)
        guess = dynamics(torch.cat([obs, action[None].float()]))
        miss = nn.functional.mse_loss(guess, nxt)
        opt_dyn.zero_grad()
        miss.backward()
        opt_dyn.step()
        model_error += miss.item()
        obs = nxt
    loss = episode.loss()
    opt_policy.zero_grad()
    loss.backward()
    opt_policy.step()
    print(ep, f"return {sum(episode.rewards):.2f} model {model_error / 30:.4f}")
