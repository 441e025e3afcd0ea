# gradwatch-corpus: kind=second-backward
# holder: roll.logp | mb.logp | self.logp | rollout.logp | logps
# first-bad: 1
"""Compact PPO on a torque-limited pendulum (vectorised, numpy physics)."""
import math
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Normal


@dataclass
class Rollout:
    obs: Tensor
    act: Tensor
    logp: Tensor
    ret: Tensor
    adv: Tensor

    def flat(self) -> "Rollout":
        return Rollout(*(getattr(self, f.name).flatten(0, 1) for f in fields(self)))

    def minibatch(self, idx: Tensor) -> "Rollout":
        return Rollout(*(getattr(self, f.name)[idx] for f in fields(self)))


class Pendulums:
    def __init__(self, n, seed=0):
        self.rng, self.n = np.random.default_rng(seed), n
        self.th = self.rng.uniform(-math.pi, math.pi, n)
        self.om = self.rng.uniform(-1, 1, n)

    def observe(self):
        return torch.tensor(np.stack([np.cos(self.th), np.sin(self.th), self.om / 8], 1), dtype=torch.float32)

    def step(self, torque):
        u = np.clip(torque, -2, 2)
        ang = (self.th + math.pi) % (2 * math.pi) - math.pi
        cost = ang ** 2 + 0.1 * self.om ** 2 + 0.001 * u ** 2
        self.om = np.clip(self.om + 0.05 * (15 * np.sin(self.th) + 3 * u), -8, 8)
        self.th = self.th + 0.05 * self.om
        return self.observe(), torch.tensor(-cost / 10, dtype=torch.float32)


class ActorCritic(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.v = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.log_std = nn.Parameter(torch.zeros(1))

    def dist(self, obs):
        return Normal(self.pi(obs), self.log_std.exp())


def collect(env, ac, T, gamma=0.97, lam=0.9) -> Rollout:
    obs_l, act_l, logps, rew_l, val_l = [], [], [], [], []
    obs = env.observe()
    for _ in range(T):
        d = ac.dist(obs)
        a = d.sample()
        obs_l.append(obs)
        act_l.append(a)
        logps.append(d.log_prob(a).sum(-1))  # <- culprit
        with torch.no_grad():
            val_l.append(ac.v(obs).squeeze(-1))
        obs, r = env.step(a.squeeze(-1).numpy())
        rew_l.append(r)
    with torch.no_grad():
        nxt, run, adv = ac.v(obs).squeeze(-1), torch.zeros(env.n), []
        for r, v in zip(reversed(rew_l), reversed(val_l)):
            run = r + gamma * nxt - v + gamma * lam * run
            adv.insert(0, run)
            nxt = v
    adv, val = torch.stack(adv), torch.stack(val_l)
    norm = (adv - adv.mean()) / (adv.std() + 1e-6)
    return Rollout(torch.stack(obs_l), torch.stack(act_l), torch.stack(logps), adv + val, norm).flat()  # <- culprit


def update(ac, opt, roll, epochs=4, batch=256, clip=0.2):
    for _ in range(epochs):
        for idx in torch.randperm(len(roll.obs)).split(batch):
            mb = roll.minibatch(idx)
            d = ac.dist(mb.obs)
            ratio = (d.log_prob(mb.act).sum(-1) - mb.logp).exp()  # <- culprit
            surrogate = torch.min(ratio * mb.adv, ratio.clamp(1 - clip, 1 + clip) * mb.adv).mean()
            value = (ac.v(mb.obs).squeeze(-1) - mb.ret).pow(2).mean()
            loss = -surrogate + 0.5 * value - 0.003 * d.entropy().mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(ac.parameters(), 0.5)
            opt.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    env, ac = Pendulums(16), ActorCritic()
    opt = torch.optim.Adam(ac.parameters(), lr=1e-3)
    for it in range(12):
        roll = collect(env, ac, T=64)
        print(f"iter {it}: collected {len(roll.obs)} steps, mean return {roll.ret.mean():.3f}")
        print(f"         loss {update(ac, opt, roll):.4f}")
