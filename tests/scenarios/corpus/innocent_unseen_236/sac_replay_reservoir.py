# gradwatch-corpus: kind=none
"""Soft actor-critic with learned temperature on a 1-d thermostat, prioritised-ish replay of plain tensors."""
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

CONF = dict(cap=600, batch=48, iters=90, gamma=0.95, tau=0.02, lr=1e-3, target_entropy=-1.0, rooms=8)


class Thermostat:
    def __init__(self, rooms):
        self.temp = 15.0 + 10.0 * torch.rand(rooms)
        self.outside = 5.0 + 3.0 * torch.randn(rooms)

    def observe(self):
        return torch.stack([(self.temp - 20.0) / 5.0, self.outside / 10.0], dim=-1)

    def step(self, u):
        s = self.observe()
        self.temp = self.temp + 0.05 * (self.outside - self.temp) + 1.5 * u.squeeze(-1) + 0.05 * torch.randn_like(self.temp)
        r = -((self.temp - 20.0) / 5.0).square() - 0.05 * u.squeeze(-1).square()
        return s, u, r, self.observe()


class Replay:
    def __init__(self, cap):
        self.cap = cap
        self.rows = []
        self.prio = []
        self.at = 0

    def add(self, row, prio):
        if len(self.rows) < self.cap:
            self.rows.append(row)
            self.prio.append(prio)
        else:
            self.rows[self.at] = row
            self.prio[self.at] = prio
        self.at = (self.at + 1) % self.cap

    def sample(self, n):
        idx = random.choices(range(len(self.rows)), weights=self.prio, k=n)
        return idx, [torch.stack(c) for c in zip(*(self.rows[i] for i in idx))]

    def reprioritise(self, idx, td):
        for i, d in zip(idx, td.abs().tolist()):
            self.prio[i] = d + 0.05


class SquashedActor(nn.Module):
    def __init__(self, s, a, h=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(s, h), nn.ReLU(), nn.Linear(h, 2 * a))

    def forward(self, s):
        mu, log_std = self.net(s).chunk(2, dim=-1)
        dist = torch.distributions.Normal(mu, log_std.clamp(-4.0, 1.0).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = dist.log_prob(u) - torch.log(1.0 - a.square() + 1e-5)
        return a, logp.sum(-1)


def q_net():
    return nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))


class SAC:
    def __init__(self, c):
        self.c = c
        self.actor = SquashedActor(2, 1)
        self.critics = nn.ModuleList([q_net(), q_net()])
        self.targets = copy.deepcopy(self.critics)
        self.log_alpha = torch.zeros((), requires_grad=True)
        self.opts = {
            "pi": torch.optim.Adam(self.actor.parameters(), lr=c["lr"]),
            "q": torch.optim.Adam(self.critics.parameters(), lr=c["lr"]),
            "alpha": torch.optim.Adam([self.log_alpha], lr=c["lr"]),
        }

    def apply(self, key, loss):
        self.opts[key].zero_grad()
        loss.backward()
        self.opts[key].step()

    def update(self, replay):
        idx, (s, a, r, s2) = replay.sample(self.c["batch"])
        alpha = self.log_alpha.exp().detach()
        with torch.no_grad():
            a2, logp2 = self.actor(s2)
            x2 = torch.cat([s2, a2], dim=-1)
            q2 = torch.min(*[t(x2).squeeze(-1) for t in self.targets])
            y = r + self.c["gamma"] * (q2 - alpha * logp2)
        qs = [q(torch.cat([s, a], dim=-1)).squeeze(-1) for q in self.critics]
        q_loss = sum(F.mse_loss(q, y) for q in qs)
        self.apply("q", q_loss)
        replay.reprioritise(idx, (qs[0] - y).detach())

        self.critics.requires_grad_(False)
        pi, logp = self.actor(s)
        q_pi = torch.min(*[q(torch.cat([s, pi], dim=-1)).squeeze(-1) for q in self.critics])
        pi_loss = (alpha * logp - q_pi).mean()
        self.apply("pi", pi_loss)
        self.critics.requires_grad_(True)

        self.apply("alpha", -(self.log_alpha * (logp.detach() + self.c["target_entropy"])).mean())
        with torch.no_grad():
            for p, t in zip(self.critics.parameters(), self.targets.parameters()):
                t.lerp_(p, self.c["tau"])
        return {"q": q_loss.item(), "pi": pi_loss.item(), "alpha": alpha.item()}


def main():
    torch.manual_seed(6)
    random.seed(6)
    env = Thermostat(CONF["rooms"])
    agent = SAC(CONF)
    replay = Replay(CONF["cap"])
    log = []
    for it in range(CONF["iters"]):
        with torch.no_grad():
            action, _ = agent.actor(env.observe())
        s, a, r, s2 = env.step(action)
        for row in zip(s, a, r, s2):
            replay.add(tuple(t.clone() for t in row), prio=1.0)
        log.append({"r": r.mean().item(), **agent.update(replay)})
        if (it + 1) % 30 == 0:
            print(it + 1, {k: round(sum(d[k] for d in log[-30:]) / 30, 3) for k in log[-1]})


if __name__ == "__main__":
    main()
