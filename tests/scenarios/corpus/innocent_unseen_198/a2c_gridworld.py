# gradwatch-corpus: kind=none
"""A2C on a windy grid: log-probs and values pile up during a rollout."""
import random
from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F


class Grid:
    MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, n=5):
        self.n = n

    def reset(self):
        self.p = [random.randrange(self.n), random.randrange(self.n)]
        self.t = 0
        return self.obs()

    def obs(self):
        o = torch.zeros(2 * self.n)
        o[self.p[0]] = 1
        o[self.n + self.p[1]] = 1
        return o

    def step(self, a):
        if random.random() < 0.1:
            a = random.randrange(4)
        for i in (0, 1):
            self.p[i] = min(self.n - 1, max(0, self.p[i] + self.MOVES[a][i]))
        self.t += 1
        goal = self.p == [self.n - 1, self.n - 1]
        return self.obs(), (1.0 if goal else -0.02), goal or self.t > 40


@dataclass
class Rollout:
    logp: list = field(default_factory=list)
    value: list = field(default_factory=list)
    entropy: list = field(default_factory=list)
    reward: list = field(default_factory=list)
    alive: list = field(default_factory=list)

    def clear(self):
        for v in vars(self).values():
            v.clear()


actor = nn.Sequential(nn.Linear(10, 24), nn.Tanh(), nn.Linear(24, 4))
critic = nn.Sequential(nn.Linear(10, 24), nn.Tanh(), nn.Linear(24, 1))
roll = Rollout()
episode_returns = []


def collect(env, obs, n, acc):
    for _ in range(n):
        dist = torch.distributions.Categorical(logits=actor(obs))
        a = dist.sample()
        nxt, r, done = env.step(int(a))
        roll.logp.append(dist.log_prob(a))
        roll.entropy.append(dist.entropy())
        roll.value.append(critic(obs).squeeze())
        roll.reward.append(r)
        roll.alive.append(0.0 if done else 1.0)
        acc += r
        if done:
            episode_returns.append(acc)
            acc, nxt = 0.0, env.reset()
        obs = nxt
    return obs, acc


def update(obs, opt_pi, opt_v, gamma=0.97):
    with torch.no_grad():
        ret = critic(obs).squeeze()
    targets = []
    for r, alive in zip(reversed(roll.reward), reversed(roll.alive)):
        ret = r + gamma * alive * ret
        targets.insert(0, ret)
    targets = torch.stack(targets)
    values = torch.stack(roll.value)
    adv = targets - values
    pi_loss = -(torch.stack(roll.logp) * adv.detach()).mean() - 0.01 * torch.stack(roll.entropy).mean()
    v_loss = adv.pow(2).mean()
    opt_pi.zero_grad()
    pi_loss.backward()
    opt_pi.step()
    opt_v.zero_grad()
    v_loss.backward()
    opt_v.step()
    roll.clear()
    return pi_loss.item(), v_loss.item()


if __name__ == "__main__":
    torch.manual_seed(1)
    random.seed(1)
    env = Grid()
    opt_pi = torch.optim.Adam(actor.parameters(), lr=3e-3)
    opt_v = torch.optim.Adam(critic.parameters(), lr=5e-3)
    obs, acc = env.reset(), 0.0
    for it in range(400):
        obs, acc = collect(env, obs, 8, acc)
        stats = update(obs, opt_pi, opt_v)
        if it % 80 == 0:
            tail = episode_returns[-20:] or [0.0]
            print(it, "pi %.4f v %.4f" % stats, "return %.3f" % (sum(tail) / len(tail)))
