"""Tournament arena over small gait controllers."""
import random

import torch
from torch import nn


class Member:
    serial = 0

    def __init__(self, lr, born):
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
        self.lr = lr
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.8)
        self.born = born
        self.trials = []
        Member.serial += 1
        self.name = f"m{Member.serial}"

    def learn(self, state, target):
        action = self.net(state)
        loss = (action - target).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.trials = [*self.trials[-3:], (loss, action)]
        return loss

    @property
    def fitness(self):
        return -sum(loss.item() for loss, _ in self.trials) / len(self.trials)

    def offspring(self, rng, now):
        child = Member(self.lr * rng.choice([0.7, 1.0, 1.4]), now)
        child.net.load_state_dict(self.net.state_dict())
        child.trials = self.trials[-1:]
        return child


class Arena:
    def __init__(self, size, seed):
        self.rng = random.Random(seed)
        self.members = [Member(10 ** self.rng.uniform(-3, -0.7), 0) for _ in range(size)]
        self.retired = 0

    def turn(self, step):
        return self.members[step % len(self.members)]

    def tournament(self, now):
        contest = self.rng.sample(range(len(self.members)), 3)
        contest.sort(key=lambda i: self.members[i].fitness)
        loser, winner = contest[0], contest[-1]
        self.members[loser] = self.members[winner].offspring(self.rng, now)
        self.retired += 1

    def champion(self):
        return max(self.members, key=lambda m: m.fitness)
