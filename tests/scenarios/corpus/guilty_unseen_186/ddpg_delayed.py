# gradwatch-corpus: kind=inplace-modified
# first-bad: 63
"""TD3-flavoured agent on a point-mass task, actor updated every few steps."""
import copy
from collections import deque, namedtuple
import random

import torch
import torch.nn.functional as F
from torch import nn

Transition = namedtuple("Transition", "s a r s2")


class PointMass:
    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.x = torch.randn(2, generator=self.g)
        self.v = torch.zeros(2)
        self.t = 0
        return torch.cat([self.x, self.v])

    def step(self, a):
        self.v = 0.9 * self.v + 0.2 * a
        self.x = self.x + self.v
        self.t += 1
        reward = -self.x.norm().item() - 0.01 * a.norm().item()
        return torch.cat([self.x, self.v]), reward, self.t >= 40


def mlp(i, o, *tail):
    return nn.Sequential(nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, o), *tail)


class Agent:
    def __init__(self, gamma=0.95, tau=0.02, delay=4, lr=1e-3):
        self.actor, self.critic = mlp(4, 2, nn.Tanh()), mlp(6, 1)
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=lr)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=lr)
        self.gamma, self.tau, self.delay = gamma, tau, delay
        self.updates = 0

    @torch.no_grad()
    def act(self, s, noise=0.3):
        return (self.actor(s) + noise * torch.randn(2)).clamp(-1, 1)

    def critic_loss(self, b):
        with torch.no_grad():
            q2 = self.critic_t(torch.cat([b.s2, self.actor_t(b.s2)], -1))
            target = b.r + self.gamma * q2
        return F.mse_loss(self.critic(torch.cat([b.s, b.a], -1)), target)

    def actor_loss(self, b):
        return -self.critic(torch.cat([b.s, self.actor(b.s)], -1)).mean()

    @torch.no_grad()
    def polyak(self):
        for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(net.parameters(), tgt.parameters()):
                q.lerp_(p, self.tau)

    def update(self, b, explore_only):
        self.updates += 1
        losses = {"critic": self.critic_loss(b)}
        if not explore_only and self.updates % self.delay == 0:
            losses["actor"] = self.actor_loss(b)  # <- culprit
        for name, opt in (("critic", self.critic_opt), ("actor", self.actor_opt)):
            if name in losses:
                opt.zero_grad()
                losses[name].backward()
                opt.step()  # <- culprit
        self.polyak()
        return {k: v.item() for k, v in losses.items()}


class Replay:
    def __init__(self, size=5000, seed=0):
        self.data, self.rng = deque(maxlen=size), random.Random(seed)

    def batch(self, n):
        rows = [self.data[self.rng.randrange(len(self.data))] for _ in range(n)]
        s, a, r, s2 = zip(*rows)
        return Transition(torch.stack(s), torch.stack(a), torch.tensor(r).unsqueeze(1), torch.stack(s2))


def main(steps=500, actor_start=60):
    torch.manual_seed(0)
    env, agent, replay = PointMass(), Agent(), Replay()
    s = env.reset()
    for step in range(steps):
        a = agent.act(s, noise=1.0 if step < actor_start else 0.3)
        s2, r, done = env.step(a)
        replay.data.append(Transition(s, a, r, s2))
        s = env.reset() if done else s2
        logs = agent.update(replay.batch(32), explore_only=step < actor_start)
        if step % 20 == 0:
            print(step, {k: round(v, 3) for k, v in logs.items()}, flush=True)


if __name__ == "__main__":
    main()
