# gradwatch-corpus: kind=inplace-modified
# holder: losses["actor"] | losses | actor_loss
# first-bad: 20
# also: graph-unused
"""Soft actor-critic on a point-mass reacher. Compact version for the robotics course, second assignment."""
import copy
import math

import torch
import torch.nn.functional as F
from torch import nn


class PointMass:
    """Vectorised: n masses that are pushed in the plane and should stop at the origin."""

    def __init__(self, n, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.n = n
        self.state = self.spawn()

    def spawn(self):
        return torch.cat([2 * torch.rand(self.n, 2, generator=self.gen) - 1, torch.zeros(self.n, 2)], dim=1)

    def step(self, action):
        pos, vel = self.state[:, :2], self.state[:, 2:]
        vel = 0.9 * vel + 0.1 * action
        pos = pos + 0.1 * vel
        reward = -pos.norm(dim=1) - 0.01 * action.pow(2).sum(dim=1)
        self.state = torch.cat([pos, vel], dim=1)
        restart = torch.rand(self.n, 1, generator=self.gen) < 0.02
        self.state = torch.where(restart, self.spawn(), self.state)
        return reward


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class Actor(nn.Module):
    def __init__(self, obs=4, act=2):
        super().__init__()
        self.net = mlp(obs, 48, 48, 2 * act)

    def forward(self, obs):
        mean, log_std = self.net(obs).chunk(2, dim=-1)
        std = log_std.clamp(-4, 1).exp()
        raw = mean + std * torch.randn_like(std)
        log_prob = -0.5 * ((raw - mean) / std).pow(2) - std.log() - 0.5 * math.log(2 * math.pi)
        action = raw.tanh()
        log_prob = log_prob - torch.log(1 - action.pow(2) + 1e-5)
        return action, log_prob.sum(-1)


class TwinCritic(nn.Module):
    def __init__(self, obs=4, act=2):
        super().__init__()
        self.a, self.b = mlp(obs + act, 48, 48, 1), mlp(obs + act, 48, 48, 1)

    def forward(self, obs, action):
        x = torch.cat([obs, action], dim=-1)
        return self.a(x).squeeze(-1), self.b(x).squeeze(-1)


class Ring:
    def __init__(self, size):
        self.size, self.count = size, 0
        self.obs, self.act, self.rew, self.nxt = (torch.zeros(size, d) for d in (4, 2, 1, 4))

    def add(self, obs, act, rew, nxt):
        rows = (self.count + torch.arange(len(obs))) % self.size
        self.obs[rows], self.act[rows], self.rew[rows, 0], self.nxt[rows] = obs, act, rew, nxt
        self.count += len(obs)

    def sample(self, n):
        rows = torch.randint(0, min(self.count, self.size), (n,))
        return self.obs[rows], self.act[rows], self.rew[rows, 0], self.nxt[rows]


class SAC:
    def __init__(self, gamma=0.95, alpha=0.05, tau=0.01, policy_start=20):
        self.gamma, self.alpha, self.tau, self.policy_start = gamma, alpha, tau, policy_start
        self.actor, self.critic = Actor(), TwinCritic()
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)

    def losses(self, obs, act, rew, nxt):
        with torch.no_grad():
            a, logp = self.actor(nxt)
            goal = rew + self.gamma * (torch.min(*self.target(nxt, a)) - self.alpha * logp)
        q1, q2 = self.critic(obs, act)
        fresh, logp = self.actor(obs)
        return {
            "critic": F.mse_loss(q1, goal) + F.mse_loss(q2, goal),
            "actor": (self.alpha * logp - torch.min(*self.critic(obs, fresh))).mean(),
        }

    def update(self, step, batch):
        losses = self.losses(*batch)
        self.critic_opt.zero_grad()
        losses["critic"].backward()
        self.critic_opt.step()  # <- culprit
        if step >= self.policy_start:
            self.actor_opt.zero_grad()
            losses["actor"].backward()  # <- culprit
            self.actor_opt.step()
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.critic.parameters()):
                slow.lerp_(fast, self.tau)
        return {name: value.item() for name, value in losses.items()}


def main(steps=400):
    torch.manual_seed(15)
    torch.set_num_threads(1)
    env, ring, agent = PointMass(16, seed=16), Ring(8192), SAC()
    for step in range(steps):
        obs = env.state
        with torch.no_grad():
            action, _ = agent.actor(obs)
        reward = env.step(action)
        ring.add(obs, action, reward, env.state)
        stats = agent.update(step, ring.sample(64))
        if step % 50 == 0:
            print(f"{step:4d} reward {reward.mean().item():+.3f} critic {stats['critic']:.4f} actor {stats['actor']:+.4f}")


if __name__ == "__main__":
    main()
