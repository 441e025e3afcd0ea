# gradwatch-corpus: kind=inplace-modified
# first-bad: 41
"""TD3 for a damped point mass that must come to rest at the origin. Single file, CleanRL spirit."""
import copy
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Args:
    seed: int = 1
    total_timesteps: int = 700
    buffer_size: int = 5000
    batch_size: int = 32
    gamma: float = 0.98
    tau: float = 0.01
    lr: float = 1e-3
    policy_noise: float = 0.2
    noise_clip: float = 0.4
    exploration_noise: float = 0.15
    policy_frequency: int = 2
    actor_starts: int = 40


class PointMass:
    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.x = torch.tensor([self.rng.uniform(-1, 1), self.rng.uniform(-1, 1)])
        self.v = torch.zeros(2)
        self.t = 0
        return torch.cat([self.x, self.v])

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * a.clamp(-1, 1)
        self.x = self.x + 0.3 * self.v
        self.t += 1
        r = -float(self.x.norm()) - 0.05 * float(a.norm())
        return torch.cat([self.x, self.v]), r, self.t >= 60


def mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class QNetwork(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(6, 1)

    def forward(self, s, a):
        return self.net(torch.cat([s, a], 1)).squeeze(-1)


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(4, 2)

    def forward(self, s):
        return torch.tanh(self.net(s))


class ReplayBuffer:
    def __init__(self, size):
        self.s, self.n = torch.zeros(size, 4), torch.zeros(size, 4)
        self.a, self.r, self.d = torch.zeros(size, 2), torch.zeros(size), torch.zeros(size)
        self.size, self.pos, self.full = size, 0, False

    def add(self, s, a, r, n, d):
        i = self.pos
        self.s[i], self.a[i], self.r[i], self.n[i], self.d[i] = s, a, r, n, float(d)
        self.pos = (i + 1) % self.size
        self.full |= self.pos == 0

    def sample(self, k):
        idx = torch.randint(self.size if self.full else self.pos, (k,))
        return self.s[idx], self.a[idx], self.r[idx], self.n[idx], self.d[idx]


class TD3:
    def __init__(self, args):
        self.args = args
        self.actor, self.qf1, self.qf2 = Actor(), QNetwork(), QNetwork()
        self.t_actor, self.t1, self.t2 = map(copy.deepcopy, (self.actor, self.qf1, self.qf2))
        self.q_opt = torch.optim.Adam([*self.qf1.parameters(), *self.qf2.parameters()], lr=args.lr)
        self.a_opt = torch.optim.Adam(self.actor.parameters(), lr=args.lr)
        self.updates = 0

    @torch.no_grad()
    def backup(self, r, n, d):
        a = self.args
        raw = self.t_actor(n)
        noise = (torch.randn_like(raw) * a.policy_noise).clamp(-a.noise_clip, a.noise_clip)
        na = (raw + noise).clamp(-1, 1)
        return r + a.gamma * (1 - d) * torch.min(self.t1(n, na), self.t2(n, na))

    def losses(self, batch, with_actor):
        s, a, r, n, d = batch
        y = self.backup(r, n, d)
        q_loss = F.mse_loss(self.qf1(s, a), y) + F.mse_loss(self.qf2(s, a), y)
        a_loss = -self.qf1(s, self.actor(s)).mean() if with_actor else None  # <- culprit
        return q_loss, a_loss

    def update(self, batch):
        self.updates += 1
        due = self.updates > self.args.actor_starts and self.updates % self.args.policy_frequency == 0
        q_loss, a_loss = self.losses(batch, due)
        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()  # <- culprit
        if a_loss is not None:
            self.a_opt.zero_grad()
            a_loss.backward()  # <- culprit
            self.a_opt.step()
            self.polyak()
        return q_loss.item()

    @torch.no_grad()
    def polyak(self):
        for net, tgt in ((self.actor, self.t_actor), (self.qf1, self.t1), (self.qf2, self.t2)):
            for p, t in zip(net.parameters(), tgt.parameters()):
                t.lerp_(p, self.args.tau)


def main(args=Args()):
    torch.manual_seed(args.seed)
    env, rb, agent = PointMass(random.Random(args.seed)), ReplayBuffer(args.buffer_size), TD3(args)
    obs, ret = env.reset(), 0.0
    for step in range(args.total_timesteps):
        with torch.no_grad():
            action = (agent.actor(obs[None])[0] + args.exploration_noise * torch.randn(2)).clamp(-1, 1)
        nxt, reward, done = env.step(action)
        rb.add(obs, action, reward, nxt, done)
        obs, ret = nxt, ret + reward
        q_loss = agent.update(rb.sample(args.batch_size))
        if done:
            print(f"step {step}  return {ret:.2f}  q_loss {q_loss:.4f}")
            obs, ret = env.reset(), 0.0


if __name__ == "__main__":
    main()
