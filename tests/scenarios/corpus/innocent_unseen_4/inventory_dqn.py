# gradwatch-corpus: kind=none
# about: replay deque stores Q-values and states and a TD log grows, but everything in them is without graph
"""Double DQN for single-item inventory control."""
import random
from collections import deque

import numpy as np
import torch
from torch import nn


class Shop:
    def __init__(self, rs):
        self.rs = rs

    def reset(self):
        self.stock, self.due, self.day = 10, 0, 0
        return self._obs()

    def _obs(self):
        return torch.tensor([self.stock / 20, self.due / 10, np.sin(self.day / 7 * 6.28)], dtype=torch.float32)

    def step(self, order):
        self.stock = min(40, self.stock + self.due)
        self.due = order
        want = self.rs.poisson(4 + 2 * np.sin(self.day / 7 * 6.28))
        sold = min(want, self.stock)
        self.stock -= sold
        self.day += 1
        return self._obs(), (2.0 * sold - 0.1 * self.stock - 1.0 * order) / 5, self.day % 60 == 0


def qnet():
    return nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 9))


class Planner:
    def __init__(self):
        self.live, self.frozen = qnet(), qnet()
        self.sync()
        self.past = deque(maxlen=5000)
        self.td_log = []
        self.opt = torch.optim.Adam(self.live.parameters(), lr=1e-3)

    def sync(self):
        self.frozen.load_state_dict(self.live.state_dict())

    @torch.no_grad()
    def decide(self, obs, eps):
        qs = self.live(obs)
        pick = random.randrange(9) if random.random() < eps else int(qs.argmax())
        return pick, qs[pick]

    def improve(self, size=32):
        o, a, r, o2, d, _ = zip(*random.sample(self.past, size))
        o, o2, a = torch.stack(o), torch.stack(o2), torch.tensor(a)
        with torch.no_grad():
            best = self.live(o2).argmax(1, keepdim=True)
            y = torch.tensor(r) + 0.95 * (1 - torch.tensor(d)) * self.frozen(o2).gather(1, best).squeeze(1)
        td = nn.functional.huber_loss(self.live(o).gather(1, a[:, None]).squeeze(1), y)
        self.opt.zero_grad()
        td.backward()
        self.opt.step()
        self.td_log.append(td.detach())


def main():
    random.seed(7); torch.manual_seed(7)
    shop, planner = Shop(np.random.RandomState(7)), Planner()
    obs = shop.reset()
    take = 0.0
    for t in range(420):
        act, q = planner.decide(obs, max(0.05, 1 - t / 250))
        nxt, rew, done = shop.step(act)
        planner.past.append((obs, act, float(rew), nxt, float(done), q))
        take += rew
        obs = shop.reset() if done else nxt
        if len(planner.past) >= 64:
            planner.improve()
        if t % 40 == 0:
            planner.sync()
        if t % 105 == 104:
            print(f"day {t + 1} takings {take:.1f} td {torch.stack(planner.td_log[-50:]).mean():.4f}")
            take = 0.0


if __name__ == "__main__":
    main()
