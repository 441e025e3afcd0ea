import copy

import torch
from torch import nn
import torch.nn.functional as F


class QAgent:
    def __init__(self, obs_dim, actions, lr=1e-3, gamma=0.95, tau=0.02):
        self.net = nn.Sequential(nn.Linear(obs_dim, 32), nn.ReLU(), nn.Linear(32, actions))
        self.target = copy.deepcopy(self.net).requires_grad_(False)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.gamma, self.tau, self.actions = gamma, tau, actions

    @torch.no_grad()
    def act(self, obs, eps, gen):
        if torch.rand((), generator=gen) < eps:
            return torch.randint(self.actions, (), generator=gen)
        return self.net(obs).argmax()

    def td_error(self, obs, act, rew, nxt):
        with torch.no_grad():
            best = self.net(nxt).argmax(-1, keepdim=True)
            backup = rew + self.gamma * self.target(nxt).gather(-1, best).squeeze(-1)
        q = self.net(obs).gather(-1, act[:, None]).squeeze(-1)
        return backup - q

    def update(self, td):
        loss = F.huber_loss(td, torch.zeros_like(td))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            for p, t in zip(self.net.parameters(), self.target.parameters()):
                t.lerp_(p, self.tau)
        return loss.item()
