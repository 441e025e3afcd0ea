import copy
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class DQNConfig:
    gamma: float = 0.9
    batch: int = 12
    sync: int = 50
    capacity: int = 300
    eps: float = 0.15


class Tug:
    def __init__(self, cfg, bus):
        self.cfg, self.bus = cfg, bus
        self.q = nn.Sequential(nn.Linear(2, 20), nn.ReLU(), nn.Linear(20, 3))
        self.target = copy.deepcopy(self.q)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.replay = deque(maxlen=cfg.capacity)
        self.updates = 0

    def act(self, obs):
        if random.random() < self.cfg.eps:
            return random.randrange(3)
        with torch.no_grad():
            return int(self.q(obs).argmax())

    def observe(self, *row):
        self.replay.append(row)
        if len(self.replay) >= 2 * self.cfg.batch:
            self.update()

    def update(self):
        obs, act, rew, nxt, done = zip(*random.sample(self.replay, self.cfg.batch))
        q = self.q(torch.stack(obs)).gather(1, torch.tensor(act)[:, None])[:, 0]
        bootstrap = self.target(torch.stack(nxt)).max(1).values.detach()
        goal = torch.tensor(rew) + self.cfg.gamma * bootstrap * (1 - torch.tensor(done).float())
        td = goal - q
        self.opt.zero_grad()
        td.square().mean().backward()
        self.opt.step()
        self.updates += 1
        self.bus.send("update", loss=td.square().mean().item(), priority=td.abs())
        if self.updates % self.cfg.sync == 0:
            self.target.load_state_dict(self.q.state_dict())
            self.bus.send("sync", updates=self.updates)
