# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

LOG_STD_MIN, LOG_STD_MAX = -5, 2


class Pendulum:
    def __init__(self):
        self.reset()

    def reset(self):
        self.th = float(torch.empty(1).uniform_(-math.pi, math.pi))
        self.om = 0.0
        self.k = 0
        return self.obs()

    def obs(self):
        return torch.tensor([math.cos(self.th), math.sin(self.th), self.om])

    def step(self, u):
        u = 2.0 * float(u)
        cost = ((self.th + math.pi) % (2 * math.pi) - math.pi) ** 2 + 0.1 * self.om ** 2 + 0.001 * u * u
        self.om = max(-8.0, min(8.0, self.om + 0.05 * (15 * math.sin(self.th) + 3 * u)))
        self.th += 0.05 * self.om
        self.k += 1
        return self.obs(), -cost, self.k >= 60


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(3, 64)
        self.l2 = nn.Linear(64, 2)

    def sample(self, s):
        mean, log_std = self.l2(F.relu(self.l1(s))).chunk(2, -1)
        log_std = log_std.clamp(LOG_STD_MIN, LOG_STD_MAX)
        eps = torch.randn_like(mean)
        a = torch.tanh(mean + log_std.exp() * eps)
        logp = -0.5 * eps ** 2 - log_std - 0.919 - torch.log(1 - a ** 2 + 1e-6)
        return a, logp.squeeze(-1)


class TwinQ(nn.Module):
    def __init__(self):
        super().__init__()
        self.q1 = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 1))
        self.q2 = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, s, a):
        x = torch.cat([s, a], -1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class SAC:
    def __init__(self, gamma=0.98, tau=0.01, alpha=0.2):
        self.actor = Actor()
        self.critic = TwinQ()
        self.critic_target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.gamma = gamma
        self.tau = tau
        self.alpha = alpha

    def critic_loss(self, s, a, r, s2, d):
        with torch.no_grad():
            a2, logp2 = self.actor.sample(s2)
            q = torch.min(*self.critic_target(s2, a2)) - self.alpha * logp2
            y = r + self.gamma * (1 - d) * q
        q1, q2 = self.critic(s, a)
        return F.mse_loss(q1, y) + F.mse_loss(q2, y)

    def actor_loss(self, s):
        a, logp = self.actor.sample(s)
        return (self.alpha * logp - torch.min(*self.critic(s, a))).mean()

    def update(self, batch):
        s = batch[0]
        closs = self.critic_loss(*batch)
        aloss = self.actor_loss(s)  # <- culprit

        self.critic_opt.zero_grad()
        closs.backward()
        self.critic_opt.step()  # <- culprit

        self.actor_opt.zero_grad()
        aloss.backward()
        self.actor_opt.step()

        with torch.no_grad():
            for p, tp in zip(self.critic.parameters(), self.critic_target.parameters()):
                tp.lerp_(p, self.tau)
        return closs.item(), aloss.item()


torch.manual_seed(0)
env = Pendulum()
agent = SAC()
buffer = []
s = env.reset()
for t in range(300):
    if t < 120:
        a = torch.rand(1) * 2 - 1
    else:
        with torch.no_grad():
            a, _ = agent.actor.sample(s)
    s2, r, done = env.step(a)
    buffer.append((s, a, torch.tensor(r), s2, torch.tensor(float(done))))
    s = env.reset() if done else s2
    if t >= 120:
        rows = [buffer[i] for i in torch.randint(0, len(buffer), (32,)).tolist()]
        out = agent.update([torch.stack(c) for c in zip(*rows)])
        if t % 40 == 0:
            print(t, out)
