# gradwatch-corpus: kind=second-backward
# holder: advantage | delta
# first-bad: 0
# notice: 0
"""One-step actor-critic with gaussian policy, pendulum balancing (own mini environment)."""
import math

import torch
import torch.nn as nn
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(0)


class MiniPendulum:
    dt, g = 0.05, 9.8

    def __init__(self, n=16):
        self.n = n

    def reset(self):
        self.th = 0.3 * torch.randn(self.n)
        self.om = 0.1 * torch.randn(self.n)
        return self.obs()

    def obs(self):
        return torch.stack([torch.cos(self.th), torch.sin(self.th), self.om], 1)

    def step(self, u):
        u = u.clamp(-2, 2).squeeze(1)
        self.om = self.om + self.dt * (self.g * torch.sin(self.th) + 3 * u)
        self.om = self.om.clamp(-8, 8)
        self.th = self.th + self.dt * self.om
        wrapped = (self.th + math.pi) % (2 * math.pi) - math.pi
        return self.obs(), -(wrapped ** 2 + 0.1 * self.om ** 2 + 0.001 * u ** 2)


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, s):
        return Normal(self.body(s), self.log_std.exp())


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, s):
        return self.net(s).squeeze(1)


actor, critic = Actor(), Critic()
actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_opt = torch.optim.Adam(critic.parameters(), lr=3e-3)
gamma = 0.95


def td_advantage(s, r, s2):
    with torch.no_grad():
        target = r + gamma * critic(s2)
    return target - critic(s)


env = MiniPendulum()
state = env.reset()
for t in range(2000):
    dist = actor(state)
    action = dist.sample()
    next_state, reward = env.step(action)

    advantage = td_advantage(state, reward, next_state)
    log_prob = dist.log_prob(action).sum(1)
    actor_loss = -(log_prob * advantage).mean() - 1e-3 * dist.entropy().mean()  # <- culprit
    critic_loss = advantage.pow(2).mean()

    actor_opt.zero_grad()
    critic_opt.zero_grad()
    actor_loss.backward()
    critic_loss.backward()
    actor_opt.step()
    critic_opt.step()

    state = next_state if (t + 1) % 50 else env.reset()
    if t % 200 == 0:
        print(t, "reward", round(reward.mean().item(), 3), "critic", round(critic_loss.item(), 4))
