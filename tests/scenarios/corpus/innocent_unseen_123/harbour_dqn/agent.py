import copy
import random
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import nn


def q_net():
    return nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 3))


@dataclass
class Agent:
    online: nn.Module = field(default_factory=q_net)
    replay: deque = field(default_factory=lambda: deque(maxlen=300))
    tau: float = 0.02

    def __post_init__(self):
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.opt = torch.optim.Adam(self.online.parameters(), lr=2e-3)

    def act(self, obs, eps):
        q = self.online(obs)
        if random.random() < eps:
            return random.randrange(3)
        return int(q.argmax())

    def remember(self, *transition):
        self.replay.append(transition)

    def learn(self, batch):
        if len(self.replay) < batch:
            return
        o, a, r, n, d = zip(*random.sample(self.replay, batch))
        o, n = torch.stack(o), torch.stack(n)
        a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d, dtype=torch.float)
        aim = r + 0.9 * (1 - d) * self.target(n).amax(1)
        got = self.online(o).gather(1, a[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(got, aim)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.online.parameters()):
                slow.lerp_(fast, self.tau)
