import copy
import random

import torch
from torch import nn

from memory import UrgencyMemory


class ShelfAgent:
    def __init__(self, n_obs, n_act, gamma=0.95):
        self.q = nn.Sequential(nn.Linear(n_obs, 24), nn.ReLU(), nn.Linear(24, n_act))
        self.q_slow = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.RMSprop(self.q.parameters(), lr=1e-3)
        self.memory = UrgencyMemory()
        self.gamma, self.n_act, self.updates = gamma, n_act, 0

    @torch.no_grad()
    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        return int(self.q(obs).argmax())

    def learn(self, k=8):
        drawn = self.memory.draw(k)
        obs = torch.stack([d.obs for d in drawn])
        nxt = torch.stack([d.nxt for d in drawn])
        act = torch.tensor([d.act for d in drawn])
        rew = torch.tensor([d.rew for d in drawn])
        live = torch.tensor([0.0 if d.done else 1.0 for d in drawn])
        with torch.no_grad():
            goal = rew + self.gamma * live * self.q_slow(nxt).max(1).values
        td = goal - self.q(obs).gather(1, act[:, None]).squeeze(1)
        self.opt.zero_grad()
        td.pow(2).mean().backward()
        self.opt.step()
        self.memory.revise(drawn, td.abs())  # <- culprit
        self.updates += 1
        if self.updates % 25 == 0:
            self.q_slow.load_state_dict(self.q.state_dict())
