# gradwatch-corpus: kind=graph-held
# holder: self.urgency | memory.urgency
# first-bad: 1
"""Planar two-joint arm, reach task, Q-learning on a discrete torque set with prioritised replay."""
import math
import random
from typing import NamedTuple

import torch
from torch import nn

random.seed(13)
torch.manual_seed(13)

TORQUES = [(a, b) for a in (-1.0, 0.0, 1.0) for b in (-1.0, 0.0, 1.0)]


class Move(NamedTuple):
    obs: torch.Tensor
    arm: int
    gain: float
    nxt: torch.Tensor


class Arm:
    def __init__(self):
        self.reset()

    def reset(self):
        self.q = [random.uniform(-math.pi, math.pi) for _ in range(2)]
        self.goal = (random.uniform(-1.4, 1.4), random.uniform(-1.4, 1.4))
        self.t = 0
        return self.view()

    def tip(self):
        a, b = self.q
        return math.cos(a) + math.cos(a + b), math.sin(a) + math.sin(a + b)

    def view(self):
        x, y = self.tip()
        a, b = self.q
        return torch.tensor([math.cos(a), math.sin(a), math.cos(b), math.sin(b),
                             self.goal[0] - x, self.goal[1] - y])

    def step(self, k):
        for i in range(2):
            self.q[i] += 0.15 * TORQUES[k][i]
        self.t += 1
        x, y = self.tip()
        d = math.hypot(self.goal[0] - x, self.goal[1] - y)
        return self.view(), -d, self.t >= 40


class Replay:
    """Ring of moves; of a wide random draw the most urgent ones are replayed."""

    def __init__(self, size):
        self.size = size
        self.moves, self.urgency, self.head = [], {}, 0

    def push(self, move):
        if len(self.moves) < self.size:
            self.moves.append(move)
        else:
            self.moves[self.head] = move
            self.urgency.pop(self.head, None)
            self.head = (self.head + 1) % self.size

    def draw(self, n, wide=2):
        pool = random.sample(range(len(self.moves)), n * wide)
        pool.sort(key=lambda i: float(self.urgency.get(i, 10.0)), reverse=True)
        return pool[:n]

    def rate(self, slots, errors):
        for s, e in zip(slots, errors):
            self.urgency[s] = e  # <- culprit


class QNet(nn.Sequential):
    def __init__(self, h=96):
        super().__init__(nn.Linear(6, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, len(TORQUES)))


env, memory = Arm(), Replay(30_000)
q_net, q_lag = QNet(), QNet()
q_lag.load_state_dict(q_net.state_dict())
adam = torch.optim.Adam(q_net.parameters(), lr=1e-3)

obs = env.reset()
for _ in range(4000):
    k = random.randrange(len(TORQUES))
    nxt, gain, over = env.step(k)
    memory.push(Move(obs, k, gain, nxt))
    obs = env.reset() if over else nxt
print("prefilled", len(memory.moves))

for update in range(400):
    eps = max(0.1, 1.0 - update / 200)
    for _ in range(8):
        with torch.no_grad():
            k = random.randrange(len(TORQUES)) if random.random() < eps else int(q_net(obs).argmax())
        nxt, gain, over = env.step(k)
        memory.push(Move(obs, k, gain, nxt))
        obs = env.reset() if over else nxt
    slots = memory.draw(48)
    picked = [memory.moves[s] for s in slots]
    o = torch.stack([m.obs for m in picked])
    n = torch.stack([m.nxt for m in picked])
    a = torch.tensor([m.arm for m in picked])
    r = torch.tensor([m.gain for m in picked])
    with torch.no_grad():
        best = q_lag(n).gather(1, q_net(n).argmax(1, keepdim=True)).squeeze(1)
    td = q_net(o).gather(1, a[:, None]).squeeze(1) - (r + 0.95 * best)
    loss = torch.where(td.abs() < 1, 0.5 * td ** 2, td.abs() - 0.5).mean()
    adam.zero_grad()
    loss.backward()
    adam.step()
    memory.rate(slots, td.abs())  # <- culprit
    if update % 50 == 0:
        q_lag.load_state_dict(q_net.state_dict())
        print(f"update {update} huber {loss.item():.4f} mean reward {r.mean():.3f} rated {len(memory.urgency)}")
