import copy
import random

import torch
from torch import nn
import torch.nn.functional as F


class Agent:
    def __init__(self, obs_size, n_actions):
        self.online = nn.Sequential(nn.Linear(obs_size, 48), nn.ReLU(), nn.Linear(48, n_actions))
        self.target = copy.deepcopy(self.online)
        self.opt = torch.optim.Adam(self.online.parameters(), lr=1e-3)
        self.rng = random.Random(0)
        self.n_actions = n_actions
        self.epsilon = 1.0
        self.updates = 0

    @torch.no_grad()
    def act(self, obs):
        q = self.online(obs)
        if self.rng.random() < self.epsilon:
            return q, self.rng.randrange(self.n_actions)
        return q, q.argmax().item()

    def learn(self, obs, action, reward, nxt, done):
        with torch.no_grad():
            best = self.online(nxt).argmax(1, keepdim=True)
            boot = self.target(nxt).gather(1, best).squeeze(1)
            goal = reward + 0.97 * (1 - done) * boot
        q = self.online(obs).gather(1, action.unsqueeze(1)).squeeze(1)
        loss = F.smooth_l1_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        self.blend(0.01)
        return loss.item()

    def blend(self, tau):
        for slow, fast in zip(self.target.parameters(), self.online.parameters()):
            slow.data.mul_(1 - tau).add_(fast.data, alpha=tau)
