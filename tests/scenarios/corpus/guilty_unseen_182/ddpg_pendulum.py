# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""DDPG on a torch re-implementation of the pendulum swing-up."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(123)


class Pendulum:
    dt, g, max_torque = 0.05, 10.0, 2.0

    def reset(self):
        self.th = (torch.rand(()).item() * 2 - 1) * math.pi
        self.om = torch.rand(()).item() * 2 - 1
        return self.observe()

    def observe(self):
        return torch.tensor([math.cos(self.th), math.sin(self.th), self.om])

    def step(self, u):
        u = max(-self.max_torque, min(self.max_torque, u))
        norm = (self.th + math.pi) % (2 * math.pi) - math.pi
        cost = norm ** 2 + 0.1 * self.om ** 2 + 0.001 * u ** 2
        self.om += (1.5 * self.g * math.sin(self.th) + 3 * u) * self.dt
        self.om = max(-8.0, min(8.0, self.om))
        self.th += self.om * self.dt
        return self.observe(), -cost


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())

    def forward(self, s):
        return 2.0 * self.net(s)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(),
                                 nn.Linear(32, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], -1))


actor, critic = Actor(), Critic()
actor_t, critic_t = copy.deepcopy(actor), copy.deepcopy(critic)
opt_a = torch.optim.Adam(actor.parameters(), lr=1e-3)
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3)


def soft_update(src, dst, tau=0.01):
    with torch.no_grad():
        for p, q in zip(src.parameters(), dst.parameters()):
            q.lerp_(p, tau)


def learn(batch, gamma=0.98):
    s, a, r, s2 = batch
    with torch.no_grad():
        y = r + gamma * critic_t(s2, actor_t(s2))
    critic_loss = F.mse_loss(critic(s, a), y)
    actor_loss = -critic(s, actor(s)).mean()  # <- culprit

    opt_c.zero_grad()
    critic_loss.backward()
    opt_c.step()  # <- culprit

    opt_a.zero_grad()
    actor_loss.backward()
    opt_a.step()
    soft_update(actor, actor_t)
    soft_update(critic, critic_t)
    return critic_loss.item(), actor_loss.item()


env, replay = Pendulum(), []
s = env.reset()
for step in range(1, 1001):
    with torch.no_grad():
        a = actor(s) + 0.3 * torch.randn(1)
    s2, r = env.step(a.item())
    replay.append((s, a, torch.tensor([r]), s2))
    replay = replay[-5000:]
    s = env.reset() if step % 200 == 0 else s2
    if step > 64:
        idx = torch.randint(0, len(replay), (32,)).tolist()
        batch = [torch.stack(c) for c in zip(*[replay[i] for i in idx])]
        lc, la = learn(batch)
        if step % 100 == 0:
            print(f"{step} critic {lc:.3f} actor {la:.3f}")
