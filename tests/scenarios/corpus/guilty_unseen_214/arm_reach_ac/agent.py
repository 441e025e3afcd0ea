import torch
from torch import nn


def mlp(i, o, h=48, act=nn.ELU):
    return nn.Sequential(nn.Linear(i, h), act(), nn.Linear(h, h), act(), nn.Linear(h, o))


class Agent:
    def __init__(self, obs_dim=6, act_dim=2):
        self.pi = mlp(obs_dim, act_dim)
        self.q = mlp(obs_dim + act_dim, 1)
        self.opt_pi = torch.optim.Adam(self.pi.parameters(), lr=1e-3)
        self.opt_q = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.updates = 0

    def act(self, obs):
        return torch.tanh(self.pi(obs)) * 1.5

    def value(self, obs, a):
        return self.q(torch.cat([obs, a], -1)).squeeze(-1)

    def losses(self, obs, a, r, with_actor):
        critic = (self.value(obs, a) - r).pow(2).mean()
        actor = None
        if with_actor:
            actor = -self.value(obs, self.act(obs)).mean()  # <- culprit
        return actor, critic

    def update(self, obs, a, r, warmup):
        actor, critic = self.losses(obs, a, r, self.updates >= warmup)  # <- culprit
        self.opt_q.zero_grad()
        critic.backward()
        self.opt_q.step()  # <- culprit
        if actor is not None:
            self.opt_pi.zero_grad()
            actor.backward()
            self.opt_pi.step()
        self.updates += 1
        return critic.item()
