# gradwatch-corpus: kind=graph-held
# holder: self.store | memory.store
# first-bad: 1
# notice: 8
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Memory:
    def __init__(self, capacity=50_000):
        self.store = deque(maxlen=capacity)

    def push(self, *transition):
        self.store.append(transition)  # <- culprit

    def sample(self, k):
        s, a, r, s2 = zip(*random.sample(self.store, k))
        return torch.stack(s), torch.stack(a), torch.tensor(r).unsqueeze(1), torch.stack(s2)

    def __len__(self):
        return len(self.store)


class Greenhouse:
    """temperature, humidity, sun -> vent and heater"""

    def __init__(self):
        self.state = torch.tensor([0.0, 0.0, 0.5])

    def step(self, act):
        a = act.detach()
        sun = random.random()
        temp = 0.8 * self.state[0] + 0.5 * sun + 0.4 * a[1] - 0.3 * a[0] - 0.2
        hum = 0.9 * self.state[1] - 0.2 * a[0] + 0.05
        self.state = torch.tensor([float(temp), float(hum), sun])
        return self.state, -(abs(float(temp)) + abs(float(hum)))


class Grower:
    def __init__(self):
        self.actor = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1))
        self.opt_a = torch.optim.Adam(self.actor.parameters(), 1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), 2e-3)

    def act(self, s):
        return (self.actor(s) + 0.1 * torch.randn(2)).clamp(-1, 1)  # <- culprit

    def q(self, s, a):
        return self.critic(torch.cat([s, a], 1))

    def learn(self, batch):
        s, a, r, s2 = batch
        a = a.detach()
        with torch.no_grad():
            y = r + 0.9 * self.q(s2, self.actor(s2))
        lc = F.mse_loss(self.q(s, a), y)
        self.opt_c.zero_grad()
        lc.backward()
        self.opt_c.step()
        la = -self.q(s, self.actor(s)).mean()
        self.opt_a.zero_grad()
        la.backward()
        self.opt_a.step()


def main():
    random.seed(12)
    torch.manual_seed(12)
    house, grower, memory = Greenhouse(), Grower(), Memory()
    s, tally = house.state, 0.0
    for minute in range(700):
        a = grower.act(s)
        s2, r = house.step(a)
        memory.push(s, a, r, s2)
        s = s2
        tally += r
        if len(memory) >= 8:
            grower.learn(memory.sample(8))
        if minute % 100 == 99:
            print(minute + 1, f"comfort {tally / 100:.3f}")
            tally = 0.0


if __name__ == "__main__":
    main()
