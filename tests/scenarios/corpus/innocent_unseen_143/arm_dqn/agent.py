import copy
import random
from collections import deque

import torch
from torch import nn

random.seed(9)


class DoubleDqn:
    def __init__(self, n_obs, n_act):
        self.q = nn.Sequential(nn.Linear(n_obs, 24), nn.ReLU(), nn.Linear(24, n_act))
        self.slow = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.replay = deque(maxlen=500)
        self.n_act = n_act

    @torch.no_grad()
    def choose(self, obs, eps=0.2):
        if random.random() < eps:
            return random.randrange(self.n_act)
        return int(self.q(obs).argmax())

    def improve(self, batch=16, gamma=0.95, tau=0.01):
        o, a, r, n, d = zip(*random.sample(self.replay, batch))
        o, n = torch.stack(o), torch.stack(n)
        a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d, dtype=torch.float32)
        value = self.q(o).gather(1, a[:, None])[:, 0]
        with torch.no_grad():
            best = self.q(n).argmax(1, keepdim=True)
            goal = r + gamma * (1 - d) * self.slow(n).gather(1, best)[:, 0]
        loss = nn.functional.smooth_l1_loss(value, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            for s, q in zip(self.slow.parameters(), self.q.parameters()):
                s.lerp_(q, tau)
        return loss.item()
