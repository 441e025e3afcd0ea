# gradwatch-corpus: kind=graph-held
# holder: self.log_probs | agent.log_probs
# first-bad: 1
"""REINFORCE on a little corridor; one optimizer step per episode."""
import random

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    def __init__(self, n=7):
        self.n = n

    def reset(self):
        self.pos, self.t = self.n // 2, 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1.0
        return o

    def step(self, a):
        self.t += 1
        self.pos = max(0, min(self.n - 1, self.pos + (1 if a == 1 else -1)))
        done = self.pos in (0, self.n - 1) or self.t >= 12
        r = 1.0 if self.pos == self.n - 1 else (-1.0 if self.pos == 0 else -0.05)
        return self.obs(), r, done


class Agent:
    def __init__(self, n_obs, n_act, gamma=0.97):
        self.pi = nn.Sequential(nn.Linear(n_obs, 24), nn.Tanh(), nn.Linear(24, n_act))
        self.opt = torch.optim.Adam(self.pi.parameters(), lr=5e-3)
        self.gamma = gamma
        self.log_probs = []
        self.rewards = []

    def act(self, obs):
        dist = Categorical(logits=self.pi(obs))
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a))  # <- culprit
        return a.item()

    def update(self):
        R, returns = 0.0, []
        for r in reversed(self.rewards):
            R = r + self.gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        lp = torch.stack(self.log_probs[-len(returns):])  # <- culprit
        loss = -(lp * (returns - returns.mean())).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        total = sum(self.rewards)
        self.rewards.clear()
        return total


random.seed(4)
torch.manual_seed(4)
env, agent = Corridor(), Agent(7, 2)
avg = 0.0
for ep in range(180):
    s, done = env.reset(), False
    while not done:
        s, r, done = env.step(agent.act(s))
        agent.rewards.append(r)
    avg = 0.95 * avg + 0.05 * agent.update()
    if ep % 45 == 0:
        print("episode", ep, "avg return %.3f" % avg)
