# gradwatch-corpus: kind=none
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Buffer:
    def __init__(self, cap, ds, da):
        self.cap = cap
        self.ptr = 0
        self.size = 0
        self.s = torch.zeros(cap, ds)
        self.a = torch.zeros(cap, da)
        self.r = torch.zeros(cap)
        self.s2 = torch.zeros(cap, ds)

    def add(self, s, a, r, s2):
        self.s[self.ptr] = s
        self.a[self.ptr] = a
        self.r[self.ptr] = r
        self.s2[self.ptr] = s2
        self.ptr = (self.ptr + 1) % self.cap
        self.size = min(self.size + 1, self.cap)

    def sample(self, n):
        i = torch.randint(self.size, (n,))
        return self.s[i], self.a[i], self.r[i], self.s2[i]


class Actor(nn.Module):
    def __init__(self, ds, da):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(ds, 32), nn.ReLU(), nn.Linear(32, da), nn.Tanh())

    def forward(self, s):
        return self.net(s)


class TwinQ(nn.Module):
    def __init__(self, ds, da):
        super().__init__()
        self.q1 = nn.Sequential(nn.Linear(ds + da, 32), nn.ReLU(), nn.Linear(32, 1))
        self.q2 = nn.Sequential(nn.Linear(ds + da, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, s, a):
        sa = torch.cat([s, a], -1)
        return self.q1(sa).squeeze(-1), self.q2(sa).squeeze(-1)

    def Q1(self, s, a):
        return self.q1(torch.cat([s, a], -1)).squeeze(-1)


class TD3:
    def __init__(self, ds, da, gamma=0.95, tau=0.02, delay=2):
        self.actor = Actor(ds, da)
        self.critic = TwinQ(ds, da)
        self.actor_t = copy.deepcopy(self.actor)
        self.critic_t = copy.deepcopy(self.critic)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.gamma = gamma
        self.tau = tau
        self.delay = delay
        self.total_it = 0
        self.last = {}

    def select_action(self, s, noise=0.2):
        with torch.no_grad():
            a = self.actor(s)
        return (a + noise * torch.randn_like(a)).clamp(-1, 1)

    def soft_update(self, net, target):
        for p, pt in zip(net.parameters(), target.parameters()):
            pt.data.copy_(self.tau * p.data + (1 - self.tau) * pt.data)

    def train(self, buf, n=64):
        self.total_it += 1
        s, a, r, s2 = buf.sample(n)
        with torch.no_grad():
            eps = (0.1 * torch.randn_like(a)).clamp(-0.3, 0.3)
            a2 = (self.actor_t(s2) + eps).clamp(-1, 1)
            y = r + self.gamma * torch.min(*self.critic_t(s2, a2))
        q1, q2 = self.critic(s, a)
        critic_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        self.opt_c.zero_grad()
        critic_loss.backward()
        self.opt_c.step()
        self.last["critic"] = critic_loss
        if self.total_it % self.delay == 0:
            actor_loss = -self.critic.Q1(s, self.actor(s)).mean()
            self.opt_a.zero_grad()
            actor_loss.backward()
            self.opt_a.step()
            self.last["actor"] = actor_loss
            self.soft_update(self.critic, self.critic_t)
            self.soft_update(self.actor, self.actor_t)


def env_step(s, a):
    x, v = s
    v = 0.9 * v + 0.2 * a[0] + 0.02 * random.gauss(0, 1)
    x = (x + 0.2 * v).clamp(-2, 2)
    s2 = torch.stack([x, v])
    return s2, -(x ** 2 + 0.05 * a[0] ** 2)


if __name__ == "__main__":
    random.seed(2)
    torch.manual_seed(2)
    agent = TD3(2, 1)
    buf = Buffer(2000, 2, 1)
    s = torch.tensor([1.0, 0.0])
    for _ in range(64):
        a = torch.rand(1) * 2 - 1
        s2, r = env_step(s, a)
        buf.add(s, a, r, s2)
        s = s2
    rets = []
    for it in range(150):
        a = agent.select_action(s)
        s2, r = env_step(s, a)
        buf.add(s, a, r, s2)
        rets.append(r.item())
        s = s2 if it % 40 != 39 else torch.tensor([random.choice([-1.0, 1.0]), 0.0])
        agent.train(buf)
        if it % 30 == 29:
            print(it + 1, "reward", round(sum(rets[-30:]) / 30, 3), {k: round(v.item(), 3) for k, v in agent.last.items()})
