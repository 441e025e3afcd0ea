import torch
import torch.nn.functional as F
from torch import nn


class IncrementalLearner:
    def __init__(self, dim, classes, bank):
        self.net = nn.Sequential(nn.Linear(dim, 20), nn.LeakyReLU(), nn.Linear(20, classes))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.5)
        self.bank = bank

    def observe(self, x, y):
        per_item = F.cross_entropy(self.net(x), y, reduction="none")
        total = per_item.mean()
        if self.bank:
            mx, my = self.bank.hardest()
            total = total + 0.5 * F.cross_entropy(self.net(mx), my)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        k = per_item.topk(3).indices
        self.bank.add(x[k], y[k], per_item[k])  # <- culprit

    @torch.no_grad()
    def accuracy(self, x, y):
        return (self.net(x).argmax(1) == y).float().mean().item()
