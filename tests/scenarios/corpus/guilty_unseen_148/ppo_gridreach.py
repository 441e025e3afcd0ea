# gradwatch-corpus: kind=graph-held
# holder: self.rows | self.rows[key] | self.logger.rows | logger.rows | logger.rows["kl"]
# first-bad: 1
# notice: 8
"""PPO on a small point-reaching task with vectorised environments."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(3)
rng = np.random.default_rng(3)


@dataclass
class PPOConfig:
    n_envs: int = 8
    horizon: int = 16
    epochs: int = 4
    updates: int = 20
    gamma: float = 0.97
    lam: float = 0.9
    clip: float = 0.2
    lr: float = 3e-3


class ReachEnv:
    MOVES = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]], dtype=np.float32) * 0.1

    def __init__(self, n):
        self.n = n
        self.pos = rng.uniform(-1, 1, (n, 2)).astype(np.float32)
        self.goal = rng.uniform(-1, 1, (n, 2)).astype(np.float32)

    def obs(self):
        return torch.from_numpy(np.concatenate([self.pos, self.goal - self.pos], 1))

    def step(self, a):
        self.pos = np.clip(self.pos + self.MOVES[a.numpy()], -1, 1)
        dist = np.linalg.norm(self.goal - self.pos, axis=1)
        done = dist < 0.15
        fresh = rng.uniform(-1, 1, (self.n, 2)).astype(np.float32)
        self.goal = np.where(done[:, None], fresh, self.goal)
        return self.obs(), torch.from_numpy((-dist + done).astype(np.float32)), torch.from_numpy(done)


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 32), nn.Tanh())
        self.pi = nn.Linear(32, 4)
        self.v = nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class RunLogger:
    def __init__(self):
        self.rows = defaultdict(list)

    def record(self, **values):
        for key, value in values.items():
            self.rows[key].append(value)  # <- culprit

    def mean(self, key, last):
        return float(np.mean([float(v) for v in self.rows[key][-last:]]))


class PPO:
    def __init__(self, cfg, logger):
        self.cfg, self.logger = cfg, logger
        self.agent = Agent()
        self.opt = torch.optim.Adam(self.agent.parameters(), lr=cfg.lr)
        self.env = ReachEnv(cfg.n_envs)

    @torch.no_grad()
    def collect(self):
        obs, c = self.env.obs(), self.cfg
        O, A, L, R, D, V = [], [], [], [], [], []
        for _ in range(c.horizon):
            dist, v = self.agent(obs)
            a = dist.sample()
            nxt, r, d = self.env.step(a)
            for buf, item in zip((O, A, L, R, D, V), (obs, a, dist.log_prob(a), r, d.float(), v)):
                buf.append(item)
            obs = nxt
        nextv, adv, gae = self.agent(obs)[1], [], 0.0
        for t in reversed(range(c.horizon)):
            delta = R[t] + c.gamma * nextv * (1 - D[t]) - V[t]
            gae = delta + c.gamma * c.lam * (1 - D[t]) * gae
            adv.insert(0, gae)
            nextv = V[t]
        flat = lambda xs: torch.stack(xs).flatten(0, 1)
        return flat(O), flat(A), flat(L), flat(adv), flat(adv) + flat(V), float(torch.stack(R).mean())

    def policy_terms(self, logp, old, adv):
        logratio = logp - old
        ratio = logratio.exp()
        kl = ((ratio - 1) - logratio).mean()  # <- culprit
        surr = torch.min(ratio * adv, ratio.clamp(1 - self.cfg.clip, 1 + self.cfg.clip) * adv)
        return -surr.mean(), kl

    def update(self):
        obs, act, old, adv, ret, reward = self.collect()
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        for _ in range(self.cfg.epochs):
            dist, v = self.agent(obs)
            pg, kl = self.policy_terms(dist.log_prob(act), old, adv)
            loss = pg + 0.5 * (v - ret).pow(2).mean() - 0.01 * dist.entropy().mean()
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
            self.opt.step()
            self.logger.record(loss=loss.item(), kl=kl)  # <- culprit
        self.logger.record(reward=reward)


if __name__ == "__main__":
    cfg = PPOConfig()
    logger = RunLogger()
    algo = PPO(cfg, logger)
    for u in range(cfg.updates):
        algo.update()
        if u % 5 == 4:
            print(f"update {u+1}: reward {logger.mean('reward', 5):.3f} kl {logger.mean('kl', 8):.5f}")
