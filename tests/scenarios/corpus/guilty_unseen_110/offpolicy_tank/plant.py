import random

import torch


class TwoTank:
    """Water flows pump -> tank a -> tank b -> drain; keep tank b at the set point."""

    def __init__(self, dt=0.1):
        self.dt = dt
        self.reset()

    def reset(self):
        self.a, self.b = random.random(), random.random()
        self.ref = random.uniform(0.3, 0.8)
        self.t = 0

    def obs(self):
        return torch.tensor([self.a, self.b, self.ref])

    def step(self, act):
        u = 0.5 * (float(act) + 1.0)
        qa, qb = 0.5 * max(self.a, 0) ** 0.5, 0.4 * max(self.b, 0) ** 0.5
        self.a = min(1.5, max(0.0, self.a + self.dt * (u - qa)))
        self.b = min(1.5, max(0.0, self.b + self.dt * (qa - qb)))
        r = -abs(self.b - self.ref)
        self.t += 1
        if self.t % 60 == 0:
            self.reset()
        return r


class Buffer:
    def __init__(self, cap):
        self.cap, self.rows = cap, []

    def put(self, o, a, r, o2):
        self.rows.append((o, a.reshape(1), torch.tensor([r]), o2))
        if len(self.rows) > self.cap:
            self.rows.pop(0)

    def last_reward(self):
        return float(self.rows[-1][2])

    def sample(self, n):
        rows = random.sample(self.rows, n)
        return tuple(torch.stack(c) for c in zip(*rows))
