# gradwatch-corpus: kind=none
"""Order picking in a small aisle as a value learning problem, with replay and a following target."""
import copy
import random
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn


@dataclass
class PickConfig:
    slots: int = 8
    steps: int = 180
    warm: int = 40
    batch: int = 24
    buffer: int = 120
    gamma: float = 0.9
    tau: float = 0.05
    lr: float = 3e-3


class Transition(NamedTuple):
    state: torch.Tensor
    action: int
    reward: float
    following: torch.Tensor
    features: torch.Tensor


class Aisle:
    def __init__(self, slots, seed):
        self.slots = slots
        self.rng = random.Random(seed)
        self.place, self.goal = 0, self.rng.randrange(slots)

    def state(self):
        v = torch.zeros(2 * self.slots)
        v[self.place] = 1
        v[self.slots + self.goal] = 1
        return v

    def move(self, action):
        self.place = max(0, min(self.slots - 1, self.place + (-1, 0, 1)[action]))
        if self.place == self.goal:
            self.goal = self.rng.randrange(self.slots)
            return 1.0
        return -0.05


class QNet(nn.Module):
    def __init__(self, slots, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2 * slots, width), nn.ReLU())
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        features = self.body(x)
        return self.head(features), features


class Learner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.online = QNet(cfg.slots)
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.memory = deque(maxlen=cfg.buffer)
        self.optimizer = torch.optim.Adam(self.online.parameters(), cfg.lr)
        self.rng = random.Random(5)

    def act(self, state, epsilon):
        values, features = self.online(state)
        greedy = int(values.argmax())
        action = self.rng.randrange(3) if self.rng.random() < epsilon else greedy
        return action, features.detach()

    def follow(self):
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.online.parameters()):
                slow.lerp_(fast, self.cfg.tau)

    def learn(self):
        rows = self.rng.sample(self.memory, self.cfg.batch)
        s = torch.stack([r.state for r in rows])
        s2 = torch.stack([r.following for r in rows])
        a = torch.tensor([r.action for r in rows]).unsqueeze(1)
        reward = torch.tensor([r.reward for r in rows])
        old = torch.stack([r.features for r in rows])
        values, features = self.online(s)
        backup = reward + self.cfg.gamma * self.target(s2)[0].amax(1)
        loss = nn.functional.smooth_l1_loss(values.gather(1, a).squeeze(1), backup)
        loss = loss + 1e-3 * (features - old).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.follow()
        return loss.item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(5)
    config = PickConfig()
    aisle, learner, gained = Aisle(config.slots, seed=6), Learner(config), 0.0
    for step in range(config.steps):
        state = aisle.state()
        action, features = learner.act(state, epsilon=max(0.1, 1 - step / 120))
        reward = aisle.move(action)
        gained += reward
        learner.memory.append(Transition(state, action, reward, aisle.state(), features))
        if step >= config.warm:
            loss = learner.learn()
        if step % 45 == 44:
            print(f"step {step + 1:3d}  gained {gained:6.2f}  memory {len(learner.memory)}")
