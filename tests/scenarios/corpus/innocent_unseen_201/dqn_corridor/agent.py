import copy
import random

import torch
from torch import nn
from torch.nn import functional as F


class ReplayBuffer:
    def __init__(self, capacity, obs_dim):
        self.obs = torch.zeros(capacity, obs_dim)
        self.nxt = torch.zeros(capacity, obs_dim)
        self.act = torch.zeros(capacity, dtype=torch.long)
        self.rew = torch.zeros(capacity)
        self.done = torch.zeros(capacity)
        self.capacity, self.ptr, self.size = capacity, 0, 0

    def add(self, o, a, r, n, d):
        i = self.ptr
        self.obs[i], self.nxt[i] = o, n
        self.act[i], self.rew[i], self.done[i] = a, r, float(d)
        self.ptr = (i + 1) % self.capacity
        self.size = min(self.size + 1, self.capacity)

    def sample(self, n):
        i = torch.randint(0, self.size, (n,))
        return self.obs[i], self.act[i], self.rew[i], self.nxt[i], self.done[i]


class DQNAgent:
    def __init__(self, obs_dim, n_actions, gamma=0.97):
        self.q = nn.Sequential(nn.Linear(obs_dim, 64), nn.ReLU(), nn.Linear(64, n_actions))
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.replay = ReplayBuffer(500, obs_dim)
        self.n_actions, self.gamma = n_actions, gamma
        self.last_loss = None

    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.n_actions)
        with torch.no_grad():
            return self.q(obs).argmax().item()

    def hard_update(self):
        self.target.load_state_dict(self.q.state_dict())

    def learn(self):
        o, a, r, n, d = self.replay.sample(32)
        q = self.q(o).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.q(n).argmax(1, keepdim=True)
            y = r + self.gamma * (1 - d) * self.target(n).gather(1, best).squeeze(1)
        self.last_loss = F.smooth_l1_loss(q, y)
        self.opt.zero_grad()
        self.last_loss.backward()
        self.opt.step()
        return {"loss": self.last_loss.item(), "q": q.mean().item()}
