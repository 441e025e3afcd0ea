import random

import torch
from torch import nn

from .targets import SoftTarget


class Agent:
    def __init__(self, n_actions, gamma=0.95, lr=2e-3, seed=0):
        self.net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, n_actions))
        self.target = SoftTarget(self.net)
        self.opt = torch.optim.Adam(self.net.parameters(), lr)
        self.gamma = gamma
        self.n_actions = n_actions
        self.rng = random.Random(seed)

    @torch.no_grad()
    def act(self, obs, epsilon):
        if self.rng.random() < epsilon:
            return self.rng.randrange(self.n_actions)
        return int(self.net(obs).argmax())

    def learn(self, batch):
        s, a, r, s2 = batch
        q = self.net(s).gather(1, a[:, None]).squeeze(1)
        backup = r + self.gamma * self.target(s2).max(dim=1).values
        loss = nn.functional.smooth_l1_loss(q, backup)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.target.follow()
        return loss.item()
