import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class PilotAgent:
    def __init__(self, capacity):
        self.q = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 5))
        self.q_slow = copy.deepcopy(self.q)
        for p in self.q_slow.parameters():
            p.requires_grad_(False)
        self.opt = torch.optim.Adam(self.q.parameters(), 1e-3)
        self.log = deque(maxlen=capacity)
        self.updates = 0

    def choose(self, obs):
        if random.random() < max(0.05, 1 - self.updates / 1000):
            return random.randrange(5)
        with torch.no_grad():
            return int(self.q(obs).argmax())

    def remember(self, *entry):
        self.log.append(entry)

    def improve(self, k=16):
        if len(self.log) < k:
            return
        o, a, r, n, d = zip(*random.sample(self.log, k))
        o, n = torch.stack(o), torch.stack(n)
        a, r, d = torch.tensor(a), torch.tensor(r), torch.tensor(d).float()
        now = self.q(o).gather(1, a.view(-1, 1)).squeeze(1)
        target = r + 0.95 * (1 - d) * self.q_slow(n).amax(1)
        loss = F.smooth_l1_loss(now, target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        for slow, fast in zip(self.q_slow.parameters(), self.q.parameters()):
            slow.lerp_(fast.detach(), 0.01)
