# gradwatch-corpus: kind=graph-held
# holder: self.path[n] | self.path | si.path | si.path[n] | si.path["head.weight"]
# first-bad: 1
"""Continual learning baseline for the seminar paper: Synaptic Intelligence in its online flavour, on a stream of
randomly rotated two-class problems. The path integral is carried over task boundaries with a decay."""
import copy
import math

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(99)


def rotated_task(angle, dim=20, n=512):
    g = torch.Generator().manual_seed(int(angle * 1000))
    w = torch.randn(dim, generator=g)
    x = torch.randn(n, dim, generator=g)
    rot = torch.eye(dim)
    c, s = math.cos(angle), math.sin(angle)
    rot[0, 0], rot[0, 1], rot[1, 0], rot[1, 1] = c, -s, s, c
    y = ((x @ rot) @ w > 0).long()
    return x, y


class Net(nn.Module):
    def __init__(self, dim=20, width=64, classes=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.body(x))


class SynapticIntelligence:
    def __init__(self, net, strength=0.5, xi=0.1, decay=0.9):
        self.net = net
        self.strength, self.xi, self.decay = strength, xi, decay
        self.last = {n: p.detach().clone() for n, p in net.named_parameters()}
        self.anchor = copy.deepcopy(self.last)
        self.path = {n: torch.zeros_like(v) for n, v in self.last.items()}
        self.omega = {n: torch.zeros_like(v) for n, v in self.last.items()}

    def penalty(self):
        out = 0.0
        for n, p in self.net.named_parameters():
            out = out + (self.omega[n] * (p - self.anchor[n]) ** 2).sum()
        return self.strength * out

    def after_step(self):
        for n, p in self.net.named_parameters():
            moved = p - self.last[n]  # <- culprit
            self.path[n] = self.path[n] - p.grad * moved  # <- culprit
            self.last[n] = p.detach().clone()

    @torch.no_grad()
    def consolidate(self):
        for n, p in self.net.named_parameters():
            gain = self.path[n].clamp_min(0) / ((p - self.anchor[n]) ** 2 + self.xi)
            self.omega[n] = self.decay * self.omega[n] + gain
            self.anchor[n] = p.clone()


def minibatches(x, y, size, steps):
    for _ in range(steps):
        idx = torch.randint(0, len(x), (size,))
        yield x[idx], y[idx]


@torch.no_grad()
def accuracy(net, x, y):
    return (net(x).argmax(1) == y).float().mean().item()


def run(angles=(0.0, 0.7, 1.4), steps_per_task=110, batch=48):
    net = Net()
    si = SynapticIntelligence(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
    seen = []
    for k, angle in enumerate(angles):
        x, y = rotated_task(angle)
        seen.append((x, y))
        for xb, yb in minibatches(x, y, batch, steps_per_task):
            opt.zero_grad()
            loss = F.cross_entropy(net(xb), yb) + si.penalty()
            loss.backward()
            opt.step()
            si.after_step()
        si.consolidate()
        accs = " ".join(f"{accuracy(net, *task):.2f}" for task in seen)
        print(f"after task {k}: accuracies {accs}   last loss {loss.item():.3f}")
    total = sum(o.sum().item() for o in si.omega.values())
    print(f"summed importance {total:.2f}")


if __name__ == "__main__":
    run()
