# gradwatch-corpus: kind=graph-held
# holder: self.items | memory.items | agent.memory.items | self.memory.items
# first-bad: 1
# also: graph-unused
"""Double DQN with proportional prioritised replay on a windy grid."""
import random
from collections import deque
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Step(NamedTuple):
    obs: np.ndarray
    action: int
    reward: float
    nxt: np.ndarray
    done: bool
    value: torch.Tensor


class WindyGrid:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def __init__(self, size=6, rng=None):
        self.size, self.rng = size, rng or random.Random(0)

    def reset(self):
        self.pos, self.t = [0, 0], 0
        return self.observe()

    def observe(self):
        x, y = self.pos
        s = self.size - 1
        return np.array([x / s, y / s, (s - x) / s, (s - y) / s], dtype=np.float32)

    def step(self, a):
        dx, dy = self.moves[a]
        if self.rng.random() < 0.1:
            dy += 1
        clip = lambda v: min(self.size - 1, max(0, v))
        self.pos = [clip(self.pos[0] + dx), clip(self.pos[1] + dy)]
        self.t += 1
        goal = self.pos == [self.size - 1, self.size - 1]
        return self.observe(), (1.0 if goal else -0.02), goal or self.t >= 40


class PrioritisedReplay:
    def __init__(self, capacity, gamma):
        self.items = deque(maxlen=capacity)
        self.gamma = gamma

    def add(self, step):
        self.items.append(step)  # <- culprit

    def sample(self, n):
        surprise = np.array([abs(s.reward - s.value.item()) + 0.05 for s in self.items])
        idx = np.random.choice(len(self.items), n, p=surprise / surprise.sum())
        picked = [self.items[i] for i in idx]
        t = lambda name, dt: torch.as_tensor(np.array([getattr(s, name) for s in picked]), dtype=dt)
        return t("obs", torch.float32), t("action", torch.long), t("reward", torch.float32), \
            t("nxt", torch.float32), t("done", torch.float32)


class Agent:
    def __init__(self, gamma=0.97, lr=2e-3):
        make = lambda: nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 4))
        self.q, self.target = make(), make()
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=lr)
        self.memory = PrioritisedReplay(20_000, gamma)
        self.gamma, self.eps = gamma, 0.5

    def act(self, obs):
        q = self.q(torch.from_numpy(obs))
        a = random.randrange(4) if random.random() < self.eps else int(q.argmax())
        return a, q[a]  # <- culprit

    def learn(self, n=32):
        obs, act, rew, nxt, done = self.memory.sample(n)
        with torch.no_grad():
            best = self.q(nxt).argmax(1, keepdim=True)
            goal = rew + self.gamma * (1 - done) * self.target(nxt).gather(1, best).squeeze(1)
        loss = F.smooth_l1_loss(self.q(obs).gather(1, act[:, None]).squeeze(1), goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main(updates=150, every=4, warm=80):
    random.seed(0), np.random.seed(0), torch.manual_seed(0)
    env, agent = WindyGrid(), Agent()
    obs, ticks, done_updates, ret, returns = env.reset(), 0, 0, 0.0, deque(maxlen=10)
    while done_updates < updates:
        a, value = agent.act(obs)
        nxt, r, done = env.step(a)
        agent.memory.add(Step(obs, a, r, nxt, done, value))  # <- culprit
        obs, ticks, ret = nxt, ticks + 1, ret + r
        if done:
            returns.append(ret)
            obs, ret = env.reset(), 0.0
        if ticks >= warm and ticks % every == 0:
            loss = agent.learn()
            done_updates += 1
            agent.eps = max(0.05, agent.eps * 0.99)
            if done_updates % 25 == 0:
                agent.target.load_state_dict(agent.q.state_dict())
                print(f"update {done_updates:4d} td {loss:.4f} eps {agent.eps:.2f} return {np.mean(returns):+.2f}")


if __name__ == "__main__":
    main()
