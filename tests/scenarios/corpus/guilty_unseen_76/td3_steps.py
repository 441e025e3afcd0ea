# gradwatch-corpus: kind=inplace-modified
# holder: self.critic.net[2].weight | self.critic.net[4].weight | self.critic.net[0].weight | agent.critic.net[4].weight | agent.critic.net[2].weight | agent.critic.net[0].weight | critic.net.4.weight | critic.net.2.weight | self.critic | critic | losses["actor"] | actor_loss | loss | losses
# first-bad: 1
# notice: 1
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class PointMass:
    """1-D mass on a spring; keep it at the origin."""

    def reset(self):
        self.x, self.v, self.t = random.uniform(-1, 1), 0.0, 0
        return [self.x, self.v]

    def step(self, a):
        self.v += 0.1 * (a - 0.3 * self.x)
        self.x += 0.1 * self.v
        self.t += 1
        return [self.x, self.v], -(self.x ** 2 + 0.01 * a * a), self.t >= 50


class Replay:
    def __init__(self, cap=2000):
        self.buf = deque(maxlen=cap)

    def push(self, *tr):
        self.buf.append(tr)

    def sample(self, n):
        s, a, r, s2, d = zip(*random.sample(list(self.buf), n))
        return tuple(torch.tensor(c, dtype=torch.float32) for c in (s, a, r, s2, d))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())

    def forward(self, s):
        return self.net(s)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, s, a):
        return self.net(torch.cat([s, a], 1)).squeeze(1)


class Agent:
    def __init__(self, gamma=0.98, tau=0.01, policy_delay=2):
        self.actor, self.critic = Actor(), Critic()
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        for p in [*self.actor_t.parameters(), *self.critic_t.parameters()]:
            p.requires_grad_(False)
        self.optims = {
            "critic": torch.optim.Adam(self.critic.parameters(), lr=1e-3),
            "actor": torch.optim.Adam(self.actor.parameters(), lr=5e-4),
        }
        self.gamma, self.tau, self.policy_delay = gamma, tau, policy_delay
        self.updates = 0

    @torch.no_grad()
    def act(self, s, noise=0.2):
        a = self.actor(torch.tensor([s])).item() + random.gauss(0, noise)
        return max(-1.0, min(1.0, a))

    def losses(self, batch):
        s, a, r, s2, d = batch
        with torch.no_grad():
            a2 = (self.actor_t(s2) + 0.1 * torch.randn(len(r), 1).clamp(-2, 2)).clamp(-1, 1)
            y = r + self.gamma * (1 - d) * self.critic_t(s2, a2)
        out = {"critic": F.mse_loss(self.critic(s, a), y)}
        if self.updates % self.policy_delay == 0:
            out["actor"] = -self.critic(s, self.actor(s)).mean()  # <- culprit
        return out

    def update(self, batch):
        self.updates += 1
        losses = self.losses(batch)
        for name, loss in losses.items():
            self.optims[name].zero_grad()
            loss.backward()
            self.optims[name].step()  # <- culprit
        with torch.no_grad():
            for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
                for p, q in zip(net.parameters(), tgt.parameters()):
                    q.lerp_(p, self.tau)
        return losses["critic"].item()


def main(updates=100):
    random.seed(1)
    torch.manual_seed(1)
    env, memory, agent = PointMass(), Replay(), Agent()
    s = env.reset()
    for _ in range(200):
        a = random.uniform(-1, 1)
        s2, r, done = env.step(a)
        memory.push(s, [a], r, s2, float(done))
        s = env.reset() if done else s2
    for k in range(updates):
        a = agent.act(s)
        s2, r, done = env.step(a)
        memory.push(s, [a], r, s2, float(done))
        s = env.reset() if done else s2
        q = agent.update(memory.sample(32))
        if k % 20 == 0:
            print("update", k, "critic loss %.4f" % q)


if __name__ == "__main__":
    main()
