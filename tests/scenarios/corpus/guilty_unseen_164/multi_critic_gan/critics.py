import torch
from torch import nn

REGISTRY = {"small": 8, "medium": 16, "wide": 32}


class RunningTotals:
    """Mixin: running averages of named quantities."""

    def reset_totals(self):
        self.total = {}
        self.seen = {}

    def accumulate(self, **values):
        for key, value in values.items():
            self.total[key] = self.total.get(key, 0.0) + value  # <- culprit
            self.seen[key] = self.seen.get(key, 0) + 1

    def average(self, key):
        return float(self.total[key]) / self.seen[key]


class Critic(RunningTotals):
    def __init__(self, name, width):
        self.name = name
        self.net = nn.Sequential(nn.Linear(2, width), nn.LeakyReLU(0.2), nn.Linear(width, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.reset_totals()

    def penalty(self, real, fake):
        mix = torch.rand(len(real), 1)
        point = (mix * real + (1 - mix) * fake).requires_grad_()
        grad, = torch.autograd.grad(self.net(point).sum(), point, create_graph=True)
        return (grad.norm(dim=1) - 1).pow(2).mean()

    def train_step(self, real, fake):
        gap = self.net(fake).mean() - self.net(real).mean()
        loss = gap + 5.0 * self.penalty(real, fake)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.accumulate(gap=gap, loss=loss.item())  # <- culprit
