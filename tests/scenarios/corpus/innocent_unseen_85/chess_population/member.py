import copy
import random
from collections import deque

import torch
import torch.nn as nn


class Member:
    def __init__(self, ident, lr):
        self.ident = ident
        self.net = nn.Sequential(nn.Linear(10, 20), nn.CELU(), nn.Linear(20, 1), nn.Tanh())
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9)
        self.losses = deque(maxlen=12)
        self.score = None
        self.lineage = [ident]

    @property
    def lr(self):
        return self.opt.param_groups[0]["lr"]

    def learn(self, x, y):
        loss = nn.functional.l1_loss(self.net(x), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.append(loss)

    def recent(self):
        return torch.stack(tuple(self.losses)).mean()

    def judge(self, x, y):
        self.score = nn.functional.l1_loss(self.net(x), y) + 0.1 * self.recent()

    def copy_from(self, other):
        self.net.load_state_dict(copy.deepcopy(other.net.state_dict()))
        self.opt.param_groups[0]["lr"] = other.lr * random.choice((0.8, 1.25))
        self.opt.state.clear()
        self.losses = copy.copy(other.losses)
        self.score = other.score
        self.lineage.append(other.ident)
