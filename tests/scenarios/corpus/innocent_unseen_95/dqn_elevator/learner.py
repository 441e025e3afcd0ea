import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Dueling(nn.Module):
    def __init__(self, obs_dim, n_actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU())
        self.v, self.a = nn.Linear(48, 1), nn.Linear(48, n_actions)

    def forward(self, x):
        h = self.body(x)
        a = self.a(h)
        return self.v(h) + a - a.mean(1, keepdim=True)


class Learner:
    def __init__(self, obs_dim, n_actions, gamma=0.95, tau=0.02):
        self.q = Dueling(obs_dim, n_actions)
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.n_actions, self.gamma, self.tau = n_actions, gamma, tau

    @torch.no_grad()
    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(self.n_actions)
        return self.q(torch.from_numpy(obs)[None]).argmax(1).item()

    def update(self, batch, weights):
        o, a, r, o2, d = batch
        q = self.q(o).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            best = self.q(o2).argmax(1, keepdim=True)
            y = r + self.gamma * (1 - d) * self.target(o2).gather(1, best).squeeze(1)
        loss = (weights * F.smooth_l1_loss(q, y, reduction="none")).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.q.parameters(), 10.0)
        self.opt.step()
        with torch.no_grad():
            for tp, p in zip(self.target.parameters(), self.q.parameters()):
                tp.lerp_(p, self.tau)
        return loss.detach(), (q - y).detach(), q.mean().item()
