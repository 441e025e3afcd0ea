# gradwatch-corpus: kind=graph-held
# holder: self.memory | bot.memory
# first-bad: 1
"""Soft actor-critic on a point-mass reacher, with n-step TD priorities stored at collection time."""
import collections
import random

import torch
from torch import nn
from torch.distributions import Normal

Step = collections.namedtuple("Step", "s a r s2 logp")


class Reacher:
    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.p = torch.tensor([self.rng.uniform(-1, 1), self.rng.uniform(-1, 1)])
        self.v = torch.zeros(2)
        self.t = 0
        return torch.cat([self.p, self.v])

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * a.clamp(-1, 1)
        self.p = self.p + self.v
        self.t += 1
        return torch.cat([self.p, self.v]), -self.p.norm().item(), self.t >= 25


def mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, o))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = mlp(4, 4)

    def forward(self, s):
        mu, ls = self.body(s).chunk(2, -1)
        pi = Normal(mu, ls.clamp(-4, 1).exp())
        raw = pi.rsample()
        a = torch.tanh(raw)
        logp = (pi.log_prob(raw) - torch.log(1 - a.square() + 1e-6)).sum(-1)
        return a, logp


class SAC:
    def __init__(self, rng, capacity=20_000):
        self.actor, self.q = Actor(), mlp(6, 1)
        self.q_targ = mlp(6, 1).requires_grad_(False)
        self.q_targ.load_state_dict(self.q.state_dict())
        self.opt_pi = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_q = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.memory = collections.deque(maxlen=capacity)
        self.rng, self.temp = rng, 0.05

    def act(self, s):
        return self.actor(s)

    def remember(self, s, a, r, s2, logp):
        self.memory.append(Step(s, a.detach(), r, s2, logp))  # <- culprit

    def entropy(self, last=100):
        recent = list(self.memory)[-last:]
        return -sum(m.logp.item() for m in recent) / len(recent)

    def learn(self, n=32):
        rows = self.rng.sample(self.memory, n)
        s, a, s2 = (torch.stack([getattr(m, f) for m in rows]) for f in ("s", "a", "s2"))
        r = torch.tensor([m.r for m in rows])
        with torch.no_grad():
            a2, lp2 = self.actor(s2)
            y = r + 0.95 * (self.q_targ(torch.cat([s2, a2], 1)).squeeze(1) - self.temp * lp2)
        lq = (self.q(torch.cat([s, a], 1)).squeeze(1) - y).square().mean()
        self.opt_q.zero_grad()
        lq.backward()
        self.opt_q.step()
        an, lpn = self.actor(s)
        lp = (self.temp * lpn - self.q(torch.cat([s, an], 1)).squeeze(1)).mean()
        self.opt_pi.zero_grad()
        lp.backward()
        self.opt_pi.step()
        for t, o in zip(self.q_targ.parameters(), self.q.parameters()):
            t.data.lerp_(o.data, 0.01)
        return lq.item()


def main():
    torch.manual_seed(4)
    rng = random.Random(4)
    env, bot = Reacher(rng), SAC(rng)
    obs, ret, lq = env.reset(), 0.0, 0.0
    for tick in range(1, 401):
        a, logp = bot.act(obs)
        nxt, rew, done = env.step(a.detach())
        bot.remember(obs, a, rew, nxt, logp)
        ret += rew
        obs = nxt
        if done:
            obs, last, ret = env.reset(), ret, 0.0
        if len(bot.memory) > 50:
            lq = bot.learn()
        if tick % 100 == 0:
            print(f"tick {tick} return {last:.2f} critic {lq:.4f} entropy {bot.entropy():.3f}")


if __name__ == "__main__":
    main()
