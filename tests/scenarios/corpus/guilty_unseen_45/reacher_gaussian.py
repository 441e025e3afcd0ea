# gradwatch-corpus: kind=graph-chain
# holder: self.level | self.floor.level | floor.level | agent.floor.level
# first-bad: 1
"""Policy gradient on a point reacher with a drifting entropy floor."""
import math
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from torch import nn

CFG = SimpleNamespace(lr=2e-3, batch=64, horizon=12, updates=120, gamma=0.97,
                      ent_weight=0.05, ent_beta=0.95, slack=0.02, seed=17)


class PointReacher:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.pos = torch.rand(self.n, 2) * 2 - 1
        self.goal = torch.rand(self.n, 2) * 2 - 1
        return self.obs()

    def obs(self):
        return torch.cat([self.pos, self.goal, self.goal - self.pos], dim=1)

    def step(self, a):
        self.pos = (self.pos + 0.2 * a.clamp(-1, 1)).clamp(-1.5, 1.5)
        return self.obs(), -(self.goal - self.pos).norm(dim=1)


class GaussianPolicy(nn.Module):
    def __init__(self, obs_dim=6, act_dim=2, hidden=64):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, act_dim))
        self.log_std = nn.Parameter(torch.full((act_dim,), -0.5))

    def act(self, obs):
        with torch.no_grad():
            mu = self.mu(obs)
            return mu + self.log_std.exp() * torch.randn_like(mu)

    def log_prob(self, obs, act):
        z = (act - self.mu(obs)) * torch.exp(-self.log_std)
        return (-0.5 * z.square() - self.log_std - 0.5 * math.log(2 * math.pi)).sum(-1)

    def entropy(self):
        return (self.log_std + 0.5 * math.log(2 * math.pi * math.e)).sum()


class EntropyFloor:
    """Keeps the entropy from dropping faster than its own moving average."""

    def __init__(self, beta, slack):
        self.beta, self.slack = beta, slack
        self.level = None

    def track(self, value):
        if self.level is None:
            self.level = value
        else:
            self.level = torch.lerp(value, self.level, self.beta)  # <- culprit

    def penalty(self, value):
        self.track(value)  # <- culprit
        return F.softplus((self.level - self.slack - value) * 10) / 10  # <- culprit


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.policy = GaussianPolicy()
        self.floor = EntropyFloor(cfg.ent_beta, cfg.slack)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=cfg.lr)

    def rollout(self, env):
        obs, log = env.reset(), []
        for _ in range(self.cfg.horizon):
            a = self.policy.act(obs)
            nxt, r = env.step(a)
            log.append((obs, a, r))
            obs = nxt
        obs, act, rew = (torch.stack(z) for z in zip(*log))
        ret, acc = torch.zeros_like(rew), torch.zeros(rew.shape[1])
        for t in reversed(range(len(rew))):
            acc = rew[t] + self.cfg.gamma * acc
            ret[t] = acc
        return obs, act, ret

    def learn(self, obs, act, ret):
        adv = (ret - ret.mean(1, keepdim=True)) / (ret.std(1, keepdim=True) + 1e-6)
        pg = -(self.policy.log_prob(obs, act) * adv).mean()
        loss = pg + self.cfg.ent_weight * self.floor.penalty(self.policy.entropy())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main(cfg=CFG):
    torch.manual_seed(cfg.seed)
    env, agent = PointReacher(cfg.batch), Agent(cfg)
    for u in range(cfg.updates):
        obs, act, ret = agent.rollout(env)
        loss = agent.learn(obs, act, ret)
        if u % 20 == 0:
            print(f"update {u:3d} loss {loss:+.4f} return {ret[0].mean():+.3f} "
                  f"floor {agent.floor.level.item():+.3f}")


if __name__ == "__main__":
    main()
