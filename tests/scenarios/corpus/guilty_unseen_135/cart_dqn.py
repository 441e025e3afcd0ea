# gradwatch-corpus: kind=graph-held
# holder: self.priority | self.memory.priority | agent.memory.priority
# first-bad: 1
# notice: 8
"""Prioritised DQN on a hand-made pole-balancing task."""
import math
import random
from typing import NamedTuple

import torch

torch.set_num_threads(1)
from torch import nn


class Pole:
    def reset(self):
        self.th, self.om, self.t = random.uniform(-0.1, 0.1), 0.0, 0
        return self._obs()

    def _obs(self):
        return torch.tensor([math.sin(self.th), math.cos(self.th), self.om])

    def step(self, a):
        self.om += 0.05 * (9.8 * math.sin(self.th) + (8.0 if a else -8.0))
        self.th += 0.05 * self.om
        self.t += 1
        fell = abs(self.th) > 0.6
        return self._obs(), 0.0 if fell else 1.0, fell or self.t >= 60


class Transition(NamedTuple):
    obs: torch.Tensor
    act: int
    rew: float
    nxt: torch.Tensor
    done: float


class Memory:
    def __init__(self, alpha=0.6):
        self.data = []
        self.priority = []
        self.alpha = alpha

    def push(self, tr, prio):
        self.data.append(tr)
        self.priority.append(prio)  # <- culprit

    def sample(self, n):
        w = [float(p) ** self.alpha + 1e-3 for p in self.priority]
        picks = random.choices(self.data, weights=w, k=n)
        obs, act, rew, nxt, done = zip(*picks)
        return torch.stack(obs), torch.tensor(act), torch.tensor(rew), torch.stack(nxt), torch.tensor(done)


class Agent:
    def __init__(self, gamma=0.97):
        self.q = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 2))
        self.q_target = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 2))
        self.q_target.load_state_dict(self.q.state_dict())
        self.q_target.requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.memory = Memory()
        self.gamma = gamma

    def act(self, obs, eps):
        if random.random() < eps:
            return random.randrange(2)
        with torch.no_grad():
            return int(self.q(obs).argmax())

    def td(self, obs, act, rew, nxt, done):
        best = self.q_target(nxt).max(-1).values
        chosen = self.q(obs).gather(-1, act.unsqueeze(-1)).squeeze(-1)
        return rew + self.gamma * (1 - done) * best - chosen

    def remember(self, tr):
        delta = self.td(tr.obs, torch.tensor(tr.act), tr.rew, tr.nxt, tr.done)
        self.memory.push(tr, delta.abs())  # <- culprit

    def learn(self, n=16):
        loss = self.td(*self.memory.sample(n)).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            for a, b in zip(self.q_target.parameters(), self.q.parameters()):
                a.lerp_(b, 0.02)
        return loss.item()


def train(total=420, warmup=40):
    env, agent = Pole(), Agent()
    obs, ret, returns = env.reset(), 0.0, []
    for k in range(total):
        a = agent.act(obs, eps=max(0.05, 1 - k / 250))
        nxt, r, done = env.step(a)
        agent.remember(Transition(obs, a, r, nxt, float(done)))
        ret += r
        obs = nxt
        if done:
            returns.append(ret)
            obs, ret = env.reset(), 0.0
        if k >= warmup:
            agent.learn()
    return returns


if __name__ == "__main__":
    random.seed(6)
    torch.manual_seed(6)
    print("mean return of the last episodes", sum(train()[-5:]) / 5)
