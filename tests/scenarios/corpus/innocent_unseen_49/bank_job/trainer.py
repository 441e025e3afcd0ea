import torch
from torch import nn
import torch.nn.functional as F

from bank import Meter


class ContrastTrainer:
    def __init__(self, dim, width, bank, tau=0.2):
        self.query = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width))
        self.key = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width))
        self.key.load_state_dict(self.query.state_dict())
        self.key.requires_grad_(False)
        self.bank, self.tau = bank, tau
        self.opt = torch.optim.SGD(self.query.parameters(), lr=0.05, momentum=0.9)
        self.meter = Meter()
        self.steps = 0

    def follow(self, m=0.98):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.data.mul_(m).add_(q.data, alpha=1 - m)

    def step(self, a, b):
        q = F.normalize(self.query(a), dim=1)
        k = F.normalize(self.key(b), dim=1)
        logits = q @ self.bank.extend_keys(k).t() / self.tau
        loss = F.cross_entropy(logits, torch.arange(len(q)))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.follow()
        self.bank.enqueue(k)
        self.meter += loss
        self.steps += 1
        if self.steps % 30 == 0:
            print(f"step {self.steps}: {self.meter}")
