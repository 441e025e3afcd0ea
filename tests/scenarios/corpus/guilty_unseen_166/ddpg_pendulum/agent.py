import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(n_in, n_out, width, last=None):
    layers = [nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, n_out)]
    return nn.Sequential(*layers, *( [last] if last else [] ))


class DDPG:
    def __init__(self, n_obs, n_act, limit, width=32, gamma=0.97, tau=0.01):
        self.actor = mlp(n_obs, n_act, width, nn.Tanh())
        self.critic = mlp(n_obs + n_act, 1, width)
        self.actor_target = copy.deepcopy(self.actor).requires_grad_(False)
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.limit, self.gamma, self.tau = limit, gamma, tau
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)

    @torch.no_grad()
    def act(self, s, noise):
        a = self.limit * self.actor(torch.from_numpy(s)).item()
        return float(max(-self.limit, min(self.limit, a + noise)))

    def q(self, net, s, a):
        return net(torch.cat([s, a / self.limit], 1))

    def losses(self, batch):
        s, a, r, s2 = batch
        with torch.no_grad():
            target = r + self.gamma * self.q(self.critic_target, s2, self.limit * self.actor_target(s2))
        critic_loss = F.smooth_l1_loss(self.q(self.critic, s, a), target)
        actor_loss = -self.q(self.critic, s, self.limit * self.actor(s)).mean()  # <- culprit
        return critic_loss, actor_loss

    def learn(self, batch):
        critic_loss, actor_loss = self.losses(batch)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()  # <- culprit
        self.actor_opt.zero_grad()
        actor_loss.backward()  # <- culprit
        self.actor_opt.step()
        self.sync()
        return critic_loss.item(), actor_loss.item()

    @torch.no_grad()
    def sync(self):
        for net, tgt in ((self.actor, self.actor_target), (self.critic, self.critic_target)):
            for p, t in zip(net.parameters(), tgt.parameters()):
                t.lerp_(p, self.tau)
