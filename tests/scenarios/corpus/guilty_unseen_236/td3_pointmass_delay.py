# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
"""TD3 on a 2-d point mass (Fujimoto et al., 2018)."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

CFG = {
    "env": {"dt": 0.1, "horizon": 25, "n": 8},
    "agent": {"hidden": 48, "gamma": 0.97, "tau": 0.01, "policy_delay": 2, "noise": 0.2, "clip": 0.4},
    "train": {"iters": 100, "batch": 64, "lr": 1e-3, "start": 6},
    "seed": 13,
}


class PointMass:
    def __init__(self, n, dt, horizon):
        self.n = n
        self.dt = dt
        self.horizon = horizon
        self.reset()

    def reset(self):
        self.t = 0
        self.s = torch.cat([torch.rand(self.n, 2) * 2.0 - 1.0, torch.zeros(self.n, 2)], dim=-1)

    def step(self, a):
        pos, vel = self.s.split(2, dim=-1)
        vel = 0.95 * vel + self.dt * a
        pos = pos + self.dt * vel
        r = -pos.norm(dim=-1, keepdim=True) - 0.05 * a.square().sum(-1, keepdim=True)
        prev = self.s
        self.s = torch.cat([pos, vel], dim=-1)
        self.t += 1
        out = (prev, a, r, self.s)
        if self.t >= self.horizon:
            self.reset()
        return out


class TwinQ(nn.Module):
    def __init__(self, s, a, hidden):
        super().__init__()
        self.q1 = self.head(s + a, hidden)
        self.q2 = self.head(s + a, hidden)

    @staticmethod
    def head(i, h):
        return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 1))

    def forward(self, s, a):
        x = torch.cat([s, a], dim=-1)
        return self.q1(x), self.q2(x)


class TD3:
    def __init__(self, cfg, lr):
        self.cfg = cfg
        h = cfg["hidden"]
        self.pi = nn.Sequential(nn.Linear(4, h), nn.ReLU(), nn.Linear(h, 2), nn.Tanh())
        self.q = TwinQ(4, 2, h)
        self.pi_t = copy.deepcopy(self.pi).requires_grad_(False)
        self.q_t = copy.deepcopy(self.q).requires_grad_(False)
        self.opt_pi = torch.optim.Adam(self.pi.parameters(), lr=lr)
        self.opt_q = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.calls = 0

    @torch.no_grad()
    def act(self, s):
        a = self.pi(s)
        return (a + 0.2 * torch.randn_like(a)).clamp(-1.0, 1.0)

    @torch.no_grad()
    def target(self, r, s2):
        a2 = self.pi_t(s2)
        eps = (self.cfg["noise"] * torch.randn_like(a2)).clamp(-self.cfg["clip"], self.cfg["clip"])
        q1, q2 = self.q_t(s2, (a2 + eps).clamp(-1.0, 1.0))
        return r + self.cfg["gamma"] * torch.min(q1, q2)

    @torch.no_grad()
    def polyak(self):
        for net, tgt in ((self.pi, self.pi_t), (self.q, self.q_t)):
            for p, pt in zip(net.parameters(), tgt.parameters()):
                pt.lerp_(p, self.cfg["tau"])

    def losses(self, batch, with_policy):
        s, a, r, s2 = batch
        y = self.target(r, s2)
        q1, q2 = self.q(s, a)
        q_loss = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        pi_loss = None
        if with_policy:
            pi_loss = -self.q.q1(torch.cat([s, self.pi(s)], dim=-1)).mean()  # <- culprit
        return q_loss, pi_loss

    def update(self, batch):
        self.calls += 1
        with_policy = self.calls % self.cfg["policy_delay"] == 0
        q_loss, pi_loss = self.losses(batch, with_policy)  # <- culprit
        self.opt_q.zero_grad()
        q_loss.backward()
        self.opt_q.step()  # <- culprit
        out = {"q": q_loss.item()}
        if pi_loss is not None:
            self.opt_pi.zero_grad()
            pi_loss.backward()  # <- culprit
            self.opt_pi.step()
            self.polyak()
            out["pi"] = pi_loss.item()
        return out


def collate(rows):
    return [torch.stack(col) for col in zip(*rows)]


def main():
    torch.manual_seed(CFG["seed"])
    random.seed(CFG["seed"])
    env = PointMass(**CFG["env"])
    agent = TD3(CFG["agent"], CFG["train"]["lr"])
    replay = deque(maxlen=2000)
    for _ in range(CFG["train"]["start"] * 4):
        replay.extend(zip(*env.step(torch.rand(env.n, 2) * 2.0 - 1.0)))
    history = {"q": [], "pi": []}
    for it in range(CFG["train"]["iters"]):
        replay.extend(zip(*env.step(agent.act(env.s))))
        stats = agent.update(collate(random.sample(replay, CFG["train"]["batch"])))
        for k, v in stats.items():
            history[k].append(v)
        if (it + 1) % 25 == 0:
            print(it + 1, {k: round(sum(v[-20:]) / max(1, len(v[-20:])), 4) for k, v in history.items()})


if __name__ == "__main__":
    main()
