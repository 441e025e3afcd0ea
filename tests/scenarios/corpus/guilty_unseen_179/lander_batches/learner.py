import torch
from torch import nn


class Learner:
    def __init__(self, width, gamma=0.95):
        self.policy = nn.Sequential(nn.Linear(width, 24), nn.Tanh(), nn.Linear(24, 1))
        self.log_std = nn.Parameter(torch.tensor(-0.7))
        self.optimizer = torch.optim.Adam([*self.policy.parameters(), self.log_std], lr=4e-3)
        self.gamma = gamma
        self.baseline = 0.0

    def act(self, obs):
        dist = torch.distributions.Normal(self.policy(obs).squeeze(1), self.log_std.exp())
        thrust = dist.sample()
        return thrust, dist.log_prob(thrust)

    def update(self, batch):
        acc, targets = torch.zeros(()), []
        for _, reward in reversed(batch):
            acc = reward + self.gamma * acc
            targets.append(acc)
        targets = torch.stack(targets[::-1])
        logps = torch.stack([logp for logp, _ in batch])
        loss = -(logps * (targets - self.baseline)).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.baseline = 0.9 * self.baseline + 0.1 * targets.mean().item()
        return loss.item(), targets[0].mean().item()
