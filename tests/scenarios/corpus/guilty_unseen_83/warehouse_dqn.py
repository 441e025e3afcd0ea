# gradwatch-corpus: kind=graph-held
# holder: self.priorities | memory.priorities | self.memory.priorities | agent.memory.priorities
# first-bad: 1
# notice: 8
"""
Pick-and-place robots in a small warehouse grid, DQN with prioritized replay.
A robot must reach the requested shelf, avoiding pallets.
"""
import random
from collections import namedtuple

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(0)
np.random.seed(0)
random.seed(0)

W = H = 5
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]
PALLETS = {(1, 1), (1, 2), (3, 3)}
GAMMA = 0.95

Transition = namedtuple("Transition", "s a r s2 done")


class Warehouse:
    def reset(self):
        self.robot = (0, 0)
        self.shelf = random.choice([(4, 4), (4, 0), (2, 4)])
        self.t = 0
        return self.obs()

    def obs(self):
        r, s = self.robot, self.shelf
        return np.array([r[0] / W, r[1] / H, (s[0] - r[0]) / W, (s[1] - r[1]) / H], dtype=np.float32)

    def step(self, a):
        self.t += 1
        x, y = self.robot[0] + MOVES[a][0], self.robot[1] + MOVES[a][1]
        r = -0.05
        if 0 <= x < W and 0 <= y < H and (x, y) not in PALLETS:
            self.robot = (x, y)
        else:
            r = -0.2
        done = self.robot == self.shelf
        return self.obs(), 1.0 if done else r, done or self.t >= 30


class PrioritizedReplay:
    def __init__(self, alpha=0.6):
        self.alpha = alpha
        self.data = []
        self.priorities = []

    def __len__(self):
        return len(self.data)

    def add(self, transition, td_error):
        self.data.append(transition)
        self.priorities.append(td_error.abs() + 1e-3)  # <- culprit

    def sample(self, n):
        p = np.array([q.item() for q in self.priorities]) ** self.alpha
        idx = np.random.choice(len(self.data), n, p=p / p.sum())
        return [self.data[i] for i in idx]


def tens(x):
    return torch.as_tensor(np.asarray(x), dtype=torch.float32)


class Agent:
    def __init__(self):
        self.q = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 4))
        self.target = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 4))
        self.target.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.memory = PrioritizedReplay()

    def act(self, s, eps):
        if random.random() < eps:
            return random.randrange(4)
        return self.q(tens(s)).argmax().item()

    def td(self, s, a, r, s2, done):
        q = self.q(s).gather(-1, a.unsqueeze(-1)).squeeze(-1)
        with torch.no_grad():
            nxt = self.target(s2).max(-1).values
        return r + GAMMA * (1 - done) * nxt - q

    def remember(self, s, a, r, s2, done):
        err = self.td(tens(s), torch.tensor(a), torch.tensor(r), tens(s2), torch.tensor(float(done)))
        self.memory.add(Transition(s, a, r, s2, float(done)), err)  # <- culprit

    def learn(self, n=32):
        batch = self.memory.sample(n)
        b = Transition(*zip(*batch))
        err = self.td(tens(b.s), torch.tensor(b.a), tens(b.r), tens(b.s2), tens(b.done))
        loss = nn.functional.smooth_l1_loss(err, torch.zeros_like(err))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


env, agent = Warehouse(), Agent()
s = env.reset()
score, done_scores, losses = 0.0, [], []
for step in range(700):
    a = agent.act(s, eps=max(0.1, 1 - step / 400))
    s2, r, done = env.step(a)
    agent.remember(s, a, r, s2, done)
    score += r
    s = s2
    if done:
        done_scores.append(score)
        s, score = env.reset(), 0.0
    if len(agent.memory) >= 32:
        losses.append(agent.learn())
    if step % 100 == 99:
        agent.target.load_state_dict(agent.q.state_dict())
        print(step + 1, "loss", round(float(np.mean(losses[-50:])), 4),
              "return", round(float(np.mean(done_scores[-10:])), 2))
