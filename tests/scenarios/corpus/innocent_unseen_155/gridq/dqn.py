import copy
import random
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


class Dqn:
    def __init__(self, n_obs, n_act, gamma=0.95, tau=0.02):
        self.q = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), 2e-3)
        self.memory = deque(maxlen=400)
        self.td = deque(maxlen=50)
        self.n_act, self.gamma, self.tau = n_act, gamma, tau

    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        with torch.no_grad():
            return int(self.q(obs).argmax())

    def remember(self, *transition):
        self.memory.append(transition)

    def learn(self, n=32):
        s, a, r, s2, d = zip(*random.sample(list(self.memory), n))
        s, s2 = torch.stack(s), torch.stack(s2)
        a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d).float()
        best = self.q(s2).argmax(1, keepdim=True)
        goal = r + self.gamma * (1 - d) * self.target(s2).gather(1, best).squeeze(1)
        pred = self.q(s).gather(1, a[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(pred, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.td.append((pred - goal).abs().mean().detach())
        for t, p in zip(self.target.parameters(), self.q.parameters()):
            t.data.mul_(1 - self.tau).add_(self.tau * p.data)

    def td_mean(self):
        return torch.stack(list(self.td)).mean().item()
