# gradwatch-corpus: kind=inplace-modified
# holder: self.prototypes | head.prototypes | model.head.prototypes | runner.model.head.prototypes | runner.loss | loss | self.loss | runner.logits | self.logits | logits
# first-bad: 9
# notice: 0
"""Prototype classifier: cosine logits against class prototypes that track the features by a
moving average. Small runner with events in the house style."""
import collections

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

EVENTS = ("run_start", "forward_end", "step_end", "run_end")


class PrototypeHead(nn.Module):
    def __init__(self, classes, dim, scale=10.0):
        super().__init__()
        self.scale = scale
        self.register_buffer("prototypes", F.normalize(torch.randn(classes, dim), dim=1))

    def forward(self, z):
        return self.scale * F.linear(F.normalize(z, dim=1), self.prototypes)

    @torch.no_grad()
    def absorb(self, means, momentum):
        self.prototypes.mul_(momentum).add_(means, alpha=1 - momentum)  # <- culprit
        self.prototypes.copy_(F.normalize(self.prototypes, dim=1))  # <- culprit


class ProtoNet(nn.Module):
    def __init__(self, d_in, dim, classes):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d_in, 128), nn.BatchNorm1d(128), nn.ReLU(), nn.Linear(128, dim))
        self.head = PrototypeHead(classes, dim)

    def forward(self, x):
        z = self.encoder(x)
        return z, self.head(z)


class Plugin:
    priority = 0

    def __getattr__(self, name):
        if name in EVENTS:
            return lambda runner: None
        raise AttributeError(name)


class PrototypeRefresh(Plugin):
    """Gathers features and moves the prototypes every `interval` batches."""

    def __init__(self, interval=10, momentum=0.8):
        self.interval, self.momentum = interval, momentum
        self.sums, self.counts, self.seen = None, None, 0

    def run_start(self, runner):
        protos = runner.model.head.prototypes
        self.sums = torch.zeros_like(protos)
        self.counts = torch.zeros(len(protos))

    def forward_end(self, runner):
        z = F.normalize(runner.features.detach(), dim=1)
        self.sums.index_add_(0, runner.target, z)
        self.counts.index_add_(0, runner.target, torch.ones(len(z)))
        self.seen += 1
        if self.seen % self.interval == 0:
            means = F.normalize(self.sums / self.counts.clamp_min(1)[:, None], dim=1)
            runner.model.head.absorb(means, self.momentum)  # <- culprit
            self.sums.zero_()
            self.counts.zero_()


class Meter(Plugin):
    priority = 10

    def __init__(self, every):
        self.every = every
        self.window = collections.deque(maxlen=every)

    def step_end(self, runner):
        self.window.append(runner.loss.item())
        if runner.iteration % self.every == 0:
            print(f"iter {runner.iteration} loss {sum(self.window) / len(self.window):.4f}")


class Runner:
    def __init__(self, model, optimizer, source, plugins):
        self.model, self.optimizer, self.source = model, optimizer, source
        self.plugins = sorted(plugins, key=lambda p: p.priority)
        self.iteration = 0

    def emit(self, event):
        for p in self.plugins:
            getattr(p, event)(self)

    def run(self, iters):
        self.emit("run_start")
        for self.iteration in range(iters):
            x, self.target = self.source()
            self.features, self.logits = self.model(x)
            self.emit("forward_end")
            self.loss = F.cross_entropy(self.logits, self.target, label_smoothing=0.05)
            self.optimizer.zero_grad()
            self.loss.backward()
            self.optimizer.step()
            self.emit("step_end")
        self.emit("run_end")


def blob_source(classes, dim, batch):
    centers = 1.5 * torch.randn(classes, dim)

    def draw():
        y = torch.randint(0, classes, (batch,))
        return centers[y] + torch.randn(batch, dim), y

    return draw


if __name__ == "__main__":
    torch.manual_seed(2)
    net = ProtoNet(20, 32, 8)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    Runner(net, opt, blob_source(8, 20, 128), [Meter(10), PrototypeRefresh()]).run(100)
