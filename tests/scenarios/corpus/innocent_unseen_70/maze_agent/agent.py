from collections import deque

import torch
from torch import nn
from torch.distributions import Categorical


class Agent:
    def __init__(self, inputs, hidden=32, gamma=0.97):
        self.body = nn.Sequential(nn.Linear(inputs, hidden), nn.Tanh())
        self.policy = nn.Linear(hidden, 4)
        self.critic = nn.Linear(hidden, 1)
        params = [*self.body.parameters(), *self.policy.parameters(), *self.critic.parameters()]
        self.opt = torch.optim.Adam(params, lr=5e-3)
        self.gamma = gamma
        self.log_probs, self.values, self.entropies, self.rewards = [], [], [], []
        self.errors = deque(maxlen=6)
        self.value_loss = 0.0

    def act(self, state):
        h = self.body(state)
        dist = Categorical(logits=self.policy(h))
        action = dist.sample()
        self.log_probs.append(dist.log_prob(action))
        self.entropies.append(dist.entropy())
        self.values.append(self.critic(h).squeeze(-1))
        return action

    def reward(self, value):
        self.rewards.append(value)

    def remember_mistake(self, error):
        self.errors.append((error, self.log_probs[-1]))

    def mistakes(self):
        return [f"{error} p={prob.exp().item():.2f}" for error, prob in self.errors]

    def returns(self):
        total, out = 0.0, []
        for r in reversed(self.rewards):
            total = r + self.gamma * total
            out.append(total)
        return torch.tensor(out[::-1])

    def finish_episode(self):
        values = torch.stack(self.values)
        returns = self.returns()
        advantage = (returns - values).detach()
        actor = -(torch.stack(self.log_probs) * advantage).mean()
        critic = (returns - values).pow(2).mean()
        loss = actor + 0.5 * critic - 0.01 * torch.stack(self.entropies).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.value_loss = critic.item()
        for store in (self.log_probs, self.values, self.entropies, self.rewards):
            store.clear()
