import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class DQN:
    def __init__(self, obs, actions, gamma=0.95, tau=0.05):
        self.q = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, actions))
        self.target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.gamma, self.tau, self.actions = gamma, tau, actions

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(self.actions)
        with torch.no_grad():
            return self.q(s).argmax().item()

    def learn(self, batch):
        s, a, r, s2, d = batch
        q = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            best = self.q(s2).argmax(1, keepdim=True)
            y = r + self.gamma * (1 - d) * self.target(s2).gather(1, best).squeeze(1)
        loss = F.smooth_l1_loss(q, y)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(self.q.parameters(), 1.0)
        self.opt.step()
        self.soft_update()
        return loss.item()

    @torch.no_grad()
    def soft_update(self):
        for t, p in zip(self.target.parameters(), self.q.parameters()):
            t.lerp_(p, self.tau)
