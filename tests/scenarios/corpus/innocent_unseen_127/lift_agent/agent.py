import torch
from torch import nn
from torch.distributions import Categorical


class Agent:
    def __init__(self, inputs, moves):
        self.policy = nn.Sequential(nn.Linear(inputs, 24), nn.Tanh(), nn.Linear(24, moves))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=8e-3)
        self.logps, self.entropies, self.rewards = [], [], []
        self.baseline = 0.0

    def choose(self, obs):
        dist = Categorical(logits=self.policy(obs))
        move = dist.sample()
        self.logps.append(dist.log_prob(move))
        self.entropies.append(dist.entropy())
        return move.item()

    def reward(self, r):
        self.rewards.append(r)

    def finish(self, gamma=0.97):
        back, returns = 0.0, []
        for r in reversed(self.rewards):
            back = r + gamma * back
            returns.insert(0, back)
        advantage = torch.tensor(returns) - self.baseline
        loss = -(torch.stack(self.logps) * advantage).sum() - 0.01 * torch.stack(self.entropies).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.baseline += 0.05 * (returns[0] - self.baseline)
        total = sum(self.rewards)
        for kept in (self.logps, self.entropies, self.rewards):
            kept.clear()
        return total
