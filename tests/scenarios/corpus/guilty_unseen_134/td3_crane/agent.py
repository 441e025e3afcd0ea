import copy

import torch
from torch import nn


def mlp(*sizes, last=None):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    layers.pop()
    return nn.Sequential(*layers, *([last] if last else []))


class CraneAgent:
    def __init__(self, obs_dim, gamma=0.97, tau=0.02, warm=20):
        self.actor = mlp(obs_dim, 24, 1, last=nn.Tanh())
        self.critic = mlp(obs_dim + 1, 24, 24, 1)
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=5e-4)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.gamma, self.tau, self.warm, self.updates = gamma, tau, warm, 0

    @torch.no_grad()
    def explore(self, obs):
        return (self.actor(obs) + 0.2 * torch.randn(1)).clamp(-1, 1)

    def q(self, net, o, a):
        return net(torch.cat([o, a], 1)).squeeze(1)

    def losses(self, o, a, r, n, d):
        with torch.no_grad():
            y = r + self.gamma * (1 - d) * self.q(self.critic_t, n, self.actor_t(n))
        critic_loss = (self.q(self.critic, o, a) - y).pow(2).mean()
        actor_loss = -self.q(self.critic, o, self.actor(o)).mean()  # <- culprit
        return critic_loss, actor_loss

    def learn(self, batch):
        critic_loss, actor_loss = self.losses(*batch)
        self.opt_c.zero_grad()
        critic_loss.backward()
        self.opt_c.step()  # <- culprit
        if self.updates >= self.warm:
            self.opt_a.zero_grad()
            actor_loss.backward()
            self.opt_a.step()
        self.updates += 1
        self.track()

    @torch.no_grad()
    def track(self):
        for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(net.parameters(), tgt.parameters()):
                q.lerp_(p, self.tau)
