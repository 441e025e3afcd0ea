# gradwatch-corpus: kind=graph-held
# holder: self.ring | replay.ring | agent.replay.ring | self.replay.ring
# first-bad: 1
# also: graph-unused
"""Ferry across a tidal channel: discrete rudder, off-policy value learning with a prioritised replay."""
import math
import random
from collections import deque
from typing import NamedTuple, Optional

import torch
from torch import nn

random.seed(8)
torch.manual_seed(8)


class Crossing(NamedTuple):
    obs: torch.Tensor
    rudder: int
    gain: float
    after: torch.Tensor
    landed: bool
    guess: Optional[torch.Tensor]


class Channel:
    RUDDER = (-0.5, -0.2, 0.0, 0.2, 0.5)

    def reset(self):
        self.x, self.y, self.heading, self.clock = 0.0, random.uniform(-0.3, 0.3), 0.0, 0
        self.tide = random.uniform(-0.04, 0.04)
        return self.look()

    def look(self):
        return torch.tensor([self.x, self.y, math.sin(self.heading), math.cos(self.heading), self.tide * 20])

    def step(self, k):
        self.heading += self.RUDDER[k]
        self.x += 0.06 * math.cos(self.heading)
        self.y += 0.06 * math.sin(self.heading) + self.tide
        self.clock += 1
        landed = self.x >= 1.0 or abs(self.y) > 1.0 or self.clock >= 60
        gain = -0.02 - 0.05 * abs(self.y)
        if self.x >= 1.0:
            gain += 1.0 - abs(self.y)
        elif landed:
            gain -= 1.0
        return self.look(), gain, landed


class Replay:
    def __init__(self, room):
        self.ring = deque(maxlen=room)

    def push(self, crossing):
        self.ring.append(crossing)  # <- culprit

    def draw(self, k):
        def urgency(c):
            return 1.0 if c.guess is None else 0.05 + abs(c.gain - float(c.guess))
        sample = random.sample(self.ring, min(4 * k, len(self.ring)))
        return random.choices(sample, weights=[urgency(c) for c in sample], k=k)


class Ferryman:
    def __init__(self, gamma=0.97):
        make = lambda: nn.Sequential(nn.Linear(5, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 5))
        self.q, self.lag = make(), make()
        self.lag.load_state_dict(self.q.state_dict())
        self.opt = torch.optim.AdamW(self.q.parameters(), lr=1e-3)
        self.replay = Replay(50_000)
        self.gamma, self.tick = gamma, 0

    def steer(self, obs):
        if random.random() < max(0.05, 0.8 - self.tick / 300):
            k = random.randrange(5)
            return k, self.q(obs)[k]  # <- culprit
        worth = self.q(obs)  # <- culprit
        best = int(worth.argmax())
        return best, worth[best]  # <- culprit

    def study(self, k=32):
        batch = self.replay.draw(k)
        obs = torch.stack([c.obs for c in batch])
        after = torch.stack([c.after for c in batch])
        gain = torch.tensor([c.gain for c in batch])
        alive = torch.tensor([0.0 if c.landed else 1.0 for c in batch])
        chosen = torch.tensor([c.rudder for c in batch]).unsqueeze(1)
        with torch.no_grad():
            pick = self.q(after).argmax(1, keepdim=True)
            goal = gain + self.gamma * alive * self.lag(after).gather(1, pick).squeeze(1)
        td = nn.functional.smooth_l1_loss(self.q(obs).gather(1, chosen).squeeze(1), goal)
        self.opt.zero_grad()
        td.backward()
        self.opt.step()
        self.tick += 1
        if self.tick % 40 == 0:
            self.lag.load_state_dict(self.q.state_dict())
        return td.item()


def main():
    channel, agent = Channel(), Ferryman()
    obs = channel.reset()
    for _ in range(100):                       # random sailing first
        k = random.randrange(5)
        after, gain, landed = channel.step(k)
        agent.replay.push(Crossing(obs, k, gain, after, landed, None))
        obs = channel.reset() if landed else after
    obs, score, scores = channel.reset(), 0.0, deque([0.0], maxlen=10)
    for step in range(500):
        k, guess = agent.steer(obs)  # <- culprit
        after, gain, landed = channel.step(k)
        agent.replay.push(Crossing(obs, k, gain, after, landed, guess))  # <- culprit
        score += gain
        obs = after
        if landed:
            scores.append(score)
            obs, score = channel.reset(), 0.0
        td = agent.study()
        if step % 100 == 0:
            print(f"step {step} td {td:.4f} recent score {sum(scores) / len(scores):+.3f} replay {len(agent.replay.ring)}")


if __name__ == "__main__":
    main()
