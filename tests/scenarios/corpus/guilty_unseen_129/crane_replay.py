# gradwatch-corpus: kind=graph-held
# holder: memory.rows | self.rows | agent.memory.rows | agent.memory.rows[0].log_prob
# first-bad: 1
# notice: 8
import random
from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(8)
random.seed(8)


class Row(NamedTuple):
    state: torch.Tensor
    action: torch.Tensor
    log_prob: torch.Tensor
    reward: float
    nxt: torch.Tensor


class Memory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.rows = []
        self.cursor = 0

    def push(self, row):
        if len(self.rows) < self.capacity:
            self.rows.append(row)  # <- culprit
        else:
            self.rows[self.cursor] = row
            self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, k):
        return random.sample(self.rows, k)


class Crane:
    def __init__(self):
        self.reset()

    def reset(self):
        self.pos, self.vel, self.t = 0.5 - random.random(), 0.0, 0
        return self.observe()

    def observe(self):
        return torch.tensor([self.pos, self.vel])

    def step(self, force):
        self.vel = 0.9 * self.vel + 0.1 * max(-1.0, min(1.0, force))
        self.pos += self.vel
        self.t += 1
        return self.observe(), -abs(self.pos), self.t >= 30 or abs(self.pos) > 2


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.tensor(-0.5))

    def dist(self, s):
        return Normal(self.body(s).squeeze(-1), self.log_std.exp())


class Agent:
    def __init__(self):
        self.policy = Policy()
        self.memory = Memory(capacity=50_000)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=1e-3)

    def act(self, s):
        d = self.policy.dist(s)
        a = d.sample()
        return a, d.log_prob(a)  # <- culprit

    def learn(self):
        rows = self.memory.sample(12)
        s = torch.stack([r.state for r in rows])
        a = torch.stack([r.action for r in rows])
        old = torch.tensor([r.log_prob.item() for r in rows])
        rew = torch.tensor([r.reward for r in rows])
        ratio = (self.policy.dist(s).log_prob(a) - old).exp()
        adv = rew - rew.mean()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


env, agent = Crane(), Agent()
state = env.reset()
for tick in range(720):
    action, logp = agent.act(state)
    nxt, reward, done = env.step(action.item())
    agent.memory.push(Row(state, action, logp, reward, nxt))
    state = env.reset() if done else nxt
    if tick >= 20:
        agent.learn()
print("rows", len(agent.memory.rows))
