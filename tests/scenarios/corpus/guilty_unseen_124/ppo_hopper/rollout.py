from dataclasses import dataclass

import torch


class PointMass:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.s = torch.cat([torch.randn(self.n, 2), torch.zeros(self.n, 2)], 1)
        return self.s

    def step(self, a):
        vel = self.s[:, 2:] * 0.9 + 0.1 * a
        self.s = torch.cat([self.s[:, :2] + vel, vel], 1)
        return self.s, -self.s[:, :2].pow(2).sum(1) - 0.01 * a.pow(2).sum(1)


@dataclass
class Rollout:
    obs: torch.Tensor
    act: torch.Tensor
    rew: torch.Tensor
    logp: torch.Tensor

    @classmethod
    def collect(cls, env, actor, horizon):
        cols = {"obs": [], "act": [], "rew": [], "logp": []}
        s = env.reset()
        for _ in range(horizon):
            dist = actor.dist(s)
            a = dist.sample()
            cols["obs"].append(s)
            cols["act"].append(a)
            cols["logp"].append(dist.log_prob(a).sum(-1))  # <- culprit
            s, r = env.step(a)
            cols["rew"].append(r)
        return cls(**{k: torch.stack(v) for k, v in cols.items()})

    def advantages(self, gamma=0.95):
        g, out = torch.zeros_like(self.rew[0]), []
        for r in reversed(self.rew.unbind(0)):
            g = r + gamma * g
            out.append(g)
        out = torch.stack(out[::-1])
        return (out - out.mean()) / (out.std() + 1e-6)
