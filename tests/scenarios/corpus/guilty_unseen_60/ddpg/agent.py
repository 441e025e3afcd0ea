import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Actor(nn.Module):
    def __init__(self, obs_dim, act_dim, limit):
        super().__init__()
        self.fc1 = nn.Linear(obs_dim, 48)
        self.fc2 = nn.Linear(48, act_dim)
        self.limit = limit

    def forward(self, s):
        return self.limit * torch.tanh(self.fc2(F.relu(self.fc1(s))))


class Critic(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.fc1 = nn.Linear(obs_dim + act_dim, 48)
        self.fc2 = nn.Linear(48, 48)
        self.head = nn.Linear(48, 1)

    def forward(self, s, a):
        x = F.relu(self.fc1(torch.cat([s, a], dim=1)))
        return self.head(F.relu(self.fc2(x)))


class DDPG:
    """Deep deterministic policy gradient (Lillicrap et al. 2015)."""

    def __init__(self, obs_dim, act_dim, limit, gamma=0.99, tau=0.01, capacity=5000):
        self.actor, self.critic = Actor(obs_dim, act_dim, limit), Critic(obs_dim, act_dim)
        self.actor_target = copy.deepcopy(self.actor)
        self.critic_target = copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma, self.tau, self.limit = gamma, tau, limit
        self.memory = deque(maxlen=capacity)

    @torch.no_grad()
    def act(self, obs, noise=0.2):
        a = self.actor(torch.tensor([obs]))[0]
        return (a + noise * torch.randn_like(a)).clamp(-self.limit, self.limit).tolist()

    def remember(self, *transition):
        self.memory.append(transition)

    def update(self, batch_size):
        s, a, r, s2 = (torch.tensor(x) for x in zip(*random.sample(self.memory, batch_size)))
        r = r.unsqueeze(1)

        with torch.no_grad():
            target = r + self.gamma * self.critic_target(s2, self.actor_target(s2))
        critic_loss = F.mse_loss(self.critic(s, a), target)
        actor_loss = -self.critic(s, self.actor(s)).mean()  # <- culprit

        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()  # <- culprit

        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()

        self._soft_update(self.actor, self.actor_target)
        self._soft_update(self.critic, self.critic_target)
        return critic_loss.item(), actor_loss.item()

    @torch.no_grad()
    def _soft_update(self, net, target):
        for p, tp in zip(net.parameters(), target.parameters()):
            tp.lerp_(p, self.tau)
