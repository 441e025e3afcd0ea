# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
"""Sensor embedding with running feature normalisation; a consistency term joins after a warm-up."""
import argparse
import torch
from torch import nn


class RunningNorm(nn.Module):
    """Normalise by running statistics (also while training, unlike BatchNorm)."""

    def __init__(self, dim, momentum=0.05, eps=1e-5):
        super().__init__()
        self.momentum = momentum
        self.eps = eps
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("std", torch.ones(dim))

    @torch.no_grad()
    def observe(self, h):
        m = self.momentum
        self.mean.mul_(1 - m).add_(h.mean(0), alpha=m)
        self.std.mul_(1 - m).add_(h.std(0) + self.eps, alpha=m)  # <- culprit

    def forward(self, h):
        if self.training:
            self.observe(h)
        return (h - self.mean) / self.std


class SensorNet(nn.Module):
    def __init__(self, channels, width, classes):
        super().__init__()
        self.inp = nn.Linear(channels, width)
        self.norm = RunningNorm(width)
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        return self.out(torch.relu(self.norm(self.inp(x))))


class Session:
    def __init__(self, args):
        self.args = args
        self.net = SensorNet(args.channels, 24, 5)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=args.lr, momentum=0.9)
        self.ce = nn.CrossEntropyLoss()
        g = torch.Generator().manual_seed(args.seed)
        self.centre = torch.randn(5, args.channels, generator=g)
        self.g = g

    def batch(self):
        y = torch.randint(5, (self.args.batch,), generator=self.g)
        x = self.centre[y] + 0.7 * torch.randn(len(y), self.args.channels, generator=self.g)
        return x, y

    def jitter(self, x):
        return x + 0.2 * torch.randn(x.shape, generator=self.g)

    def loss(self, step, x, y):
        logits = self.net(x)
        loss = self.ce(logits, y)
        if step >= self.args.warmup:
            again = self.net(self.jitter(x))
            loss = loss + self.args.consistency * (again - logits).pow(2).mean()
        return loss

    def run(self):
        self.net.train()
        for step in range(self.args.steps):
            x, y = self.batch()
            loss = self.loss(step, x, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 10 == 0:
                print("step", step, "loss", round(loss.item(), 4))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--channels", type=int, default=10)
    p.add_argument("--batch", type=int, default=40)
    p.add_argument("--lr", type=float, default=0.03)
    p.add_argument("--steps", type=int, default=200)
    p.add_argument("--warmup", type=int, default=30)
    p.add_argument("--consistency", type=float, default=0.5)
    p.add_argument("--seed", type=int, default=0)
    args = p.parse_args()
    torch.manual_seed(args.seed)
    Session(args).run()
