# gradwatch-corpus: kind=none
"""n-step advantage actor-critic. Rollout lists live on the agent and are emptied after each update."""
import random

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(0)
random.seed(0)


class Grid:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, n=4):
        self.n = n

    def reset(self):
        self.p, self.t = (0, 0), 0
        return self.obs()

    def obs(self):
        o = torch.zeros(2 * self.n)
        o[self.p[0]] = 1
        o[self.n + self.p[1]] = 1
        return o

    def step(self, a):
        dx, dy = self.moves[a]
        clip = lambda v: min(self.n - 1, max(0, v))
        self.p = clip(self.p[0] + dx), clip(self.p[1] + dy)
        self.t += 1
        goal = self.p == (self.n - 1, self.n - 1)
        return self.obs(), 1.0 if goal else -0.02, goal or self.t >= 40


class Agent(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh())
        self.actor = nn.Linear(32, n_act)
        self.critic = nn.Linear(32, 1)
        self.saved = []
        self.rewards = []

    def act(self, s):
        h = self.trunk(s)
        dist = Categorical(logits=self.actor(h))
        a = dist.sample()
        self.saved.append((dist.log_prob(a), self.critic(h).squeeze(), dist.entropy()))
        return a.item()

    def finish(self, bootstrap, gamma=0.95):
        R, returns = bootstrap, []
        for r, done in reversed(self.rewards):
            R = r + gamma * R * (0.0 if done else 1.0)
            returns.append(R)
        returns = torch.tensor(returns[::-1])
        logp, values, ent = (torch.stack(t) for t in zip(*self.saved))
        adv = returns - values
        loss = -(logp * adv.detach()).mean() + 0.5 * adv.pow(2).mean() - 0.01 * ent.mean()
        del self.saved[:]
        del self.rewards[:]
        return loss


env, agent = Grid(), Agent(8, 4)
opt = torch.optim.RMSprop(agent.parameters(), lr=3e-3)
s, ep, scores = env.reset(), 0.0, []
for update in range(120):
    for _ in range(8):
        s, r, done = env.step(agent.act(s))
        agent.rewards.append((r, done))
        ep += r
        if done:
            scores.append(ep)
            ep, s = 0.0, env.reset()
    with torch.no_grad():
        boot = agent.critic(agent.trunk(s)).item()
    loss = agent.finish(boot)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("episodes", len(scores), "last 10 mean %.3f" % (sum(scores[-10:]) / 10))
