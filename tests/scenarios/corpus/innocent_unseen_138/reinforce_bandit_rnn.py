# gradwatch-corpus: kind=none
"""RL^2 style recurrent actor-critic on two-armed bandits; hidden state lives through the whole trial."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(606)

ARMS, TRIAL = 2, 12


class Bandit:
    def reset(self):
        p = torch.rand(())
        self.p = torch.stack([p, 1 - p])
        self.t = 0

    def pull(self, a):
        self.t += 1
        return float(torch.rand(()) < self.p[a]), self.t >= TRIAL


class RecurrentAgent(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.core = nn.GRUCell(ARMS + 2, hidden)
        self.pi = nn.Linear(hidden, ARMS)
        self.v = nn.Linear(hidden, 1)
        self.hidden = hidden
        self.begin()

    def begin(self):
        self.h = torch.zeros(1, self.hidden)
        self.last = torch.zeros(1, ARMS + 2)
        self.trace = []

    def act(self):
        self.h = self.core(self.last, self.h)
        dist = Categorical(logits=self.pi(self.h))
        a = dist.sample()
        self.trace.append([dist.log_prob(a), self.v(self.h).squeeze(), dist.entropy(), None])
        return a.item()

    def observe(self, a, r, t):
        self.trace[-1][3] = r
        self.last = torch.cat([F.one_hot(torch.tensor([a]), ARMS).float(), torch.tensor([[r, t / TRIAL]])], 1)


def a2c_loss(trace, gamma=0.9, beta=0.03):
    ret, pg, vl, ent = 0.0, 0.0, 0.0, 0.0
    for logp, v, h, r in reversed(trace):
        ret = r + gamma * ret
        adv = ret - v
        pg = pg - logp * adv.detach()
        vl = vl + adv.pow(2)
        ent = ent + h
    return (pg + 0.05 * vl - beta * ent) / len(trace)


agent = RecurrentAgent()
opt = torch.optim.RMSprop(agent.parameters(), lr=2e-3)
recent = deque(maxlen=100)
for trial in range(500):
    env = Bandit()
    env.reset()
    agent.begin()
    done, total = False, 0.0
    while not done:
        a = agent.act()
        r, done = env.pull(a)
        agent.observe(a, r, env.t)
        total += r
    loss = a2c_loss(agent.trace)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
    opt.step()
    recent.append(total)
    if trial % 100 == 99:
        print(f"trial {trial + 1} mean reward {sum(recent) / len(recent):.2f} / {TRIAL}")
