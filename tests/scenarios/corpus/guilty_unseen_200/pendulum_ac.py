# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Deterministic actor-critic on a linear pendulum."""
import copy

import torch
from torch import nn
import torch.nn.functional as F


def net(i, o, h=24, last=None):
    layers = [nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o)]
    return nn.Sequential(*layers, *( [last] if last else []))


class Pendulum:
    A = torch.tensor([[1.0, 0.1], [-0.15, 0.97]])
    B = torch.tensor([0.0, 0.1])

    def __init__(self, n, g):
        self.g = g
        self.s = torch.randn(n, 2, generator=g)

    def step(self, a):
        s2 = self.s @ self.A.t() + a * self.B
        r = -(s2.pow(2).sum(1, keepdim=True) + 0.05 * a.pow(2))
        old, self.s = self.s, s2
        wild = s2.abs().amax(1) > 4
        self.s[wild] = torch.randn(int(wild.sum()), 2, generator=self.g)
        return old, r, s2


class DDPG:
    def __init__(self, gamma=0.9, tau=0.02):
        self.actor, self.critic = net(2, 1, last=nn.Tanh()), net(3, 1)
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.a_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma, self.tau = gamma, tau

    def q(self, critic, s, a):
        return critic(torch.cat([s, a], 1))

    def update(self, s, a, r, s2):
        with torch.no_grad():
            y = r + self.gamma * self.q(self.critic_t, s2, self.actor_t(s2))
        critic_loss = F.mse_loss(self.q(self.critic, s, a), y)
        actor_loss = -self.q(self.critic, s, self.actor(s)).mean()  # <- culprit

        self.c_opt.zero_grad()
        critic_loss.backward()
        self.c_opt.step()  # <- culprit

        self.a_opt.zero_grad()
        actor_loss.backward()
        self.a_opt.step()
        self.follow()
        return critic_loss.item(), actor_loss.item()

    @torch.no_grad()
    def follow(self):
        for t, o in ((self.actor_t, self.actor), (self.critic_t, self.critic)):
            for pt, po in zip(t.parameters(), o.parameters()):
                pt.lerp_(po, self.tau)


def main():
    torch.manual_seed(19)
    g = torch.Generator().manual_seed(19)
    env, agent = Pendulum(32, g), DDPG()
    for it in range(500):
        with torch.no_grad():
            a = (agent.actor(env.s) + 0.2 * torch.randn(32, 1, generator=g)).clamp(-1, 1)
        c, p = agent.update(*_transition(env, a))
        if it % 100 == 0:
            print(it, round(c, 4), round(p, 4))


def _transition(env, a):
    s, r, s2 = env.step(a)
    return s, a, r, s2.clone()


if __name__ == "__main__":
    main()
