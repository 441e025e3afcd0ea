# gradwatch-corpus: kind=none
"""Meta-bandit: recurrent policy gradient over windows of eight pulls, baseline and replayed value fitting."""
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical


class RecurrentPolicy(nn.Module):
    def __init__(self, arms, hidden):
        super().__init__()
        self.cell = nn.LSTMCell(arms + 1, hidden)
        self.actor = nn.Linear(hidden, arms)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, inputs, state):
        h, c = self.cell(inputs, state)
        return Categorical(logits=self.actor(h)), self.critic(h.detach()).squeeze(1), (h, c)


class BernoulliBandits:
    def __init__(self, batch, arms):
        self.batch = batch
        self.arms = arms
        self.reset()

    def reset(self):
        self.p = torch.rand(self.batch, self.arms)

    def pull(self, arm):
        chosen = self.p.gather(1, arm.unsqueeze(1)).squeeze(1)
        return torch.bernoulli(chosen), self.p.max(1).values - chosen


class Rollout:
    def __init__(self):
        self.log_probs = []
        self.values = []
        self.rewards = []
        self.entropies = []

    def add(self, dist, arm, value, reward):
        self.log_probs.append(dist.log_prob(arm))
        self.entropies.append(dist.entropy())
        self.values.append(value)
        self.rewards.append(reward)

    def __len__(self):
        return len(self.rewards)

    def loss(self, gamma=0.9):
        returns = []
        acc = torch.zeros_like(self.rewards[0])
        for r in reversed(self.rewards):
            acc = r + gamma * acc
            returns.insert(0, acc)
        returns = torch.stack(returns)
        values = torch.stack(self.values)
        advantage = (returns - values).detach()
        policy = -(advantage * torch.stack(self.log_probs)).mean()
        value = F.mse_loss(values, returns)
        bonus = torch.stack(self.entropies).mean()
        return policy + 0.5 * value - 0.02 * bonus, returns

    def clear(self):
        for buffer in vars(self).values():
            buffer.clear()


class Agent:
    def __init__(self, batch=24, arms=4, hidden=32, window=8):
        self.env = BernoulliBandits(batch, arms)
        self.policy = RecurrentPolicy(arms, hidden)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=4e-3)
        self.window = window
        self.rollout = Rollout()
        self.features = deque(maxlen=30)
        self.hidden = hidden
        self.begin()

    def begin(self):
        n = self.env.batch
        self.env.reset()
        self.state = (torch.zeros(n, self.hidden), torch.zeros(n, self.hidden))
        self.last = torch.zeros(n, self.env.arms + 1)

    def pull(self):
        dist, value, self.state = self.policy(self.last, self.state)
        arm = dist.sample()
        reward, gap = self.env.pull(arm)
        self.rollout.add(dist, arm, value, reward)
        onehot = F.one_hot(arm, self.env.arms).float()
        self.last = torch.cat([onehot, reward.unsqueeze(1)], 1)
        if len(self.rollout) == self.window:
            self.improve()
        return gap.mean()

    def improve(self):
        loss, returns = self.rollout.loss()
        self.features.append((self.state[0].detach(), returns[-1]))
        if len(self.features) >= 4:
            picks = torch.randint(0, len(self.features), (3,)).tolist()
            for i in picks:
                h, target = self.features[i]
                loss = loss + 0.05 * F.mse_loss(self.policy.critic(h).squeeze(1), target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.rollout.clear()
        self.state = tuple(s.detach() for s in self.state)


def main():
    torch.manual_seed(13)
    agent = Agent()
    for episode in range(16):
        gaps = [agent.pull() for _ in range(40)]
        agent.begin()
        if episode % 4 == 3:
            print(f"episode {episode + 1} mean gap {torch.stack(gaps).mean().item():.4f}")


if __name__ == "__main__":
    main()
