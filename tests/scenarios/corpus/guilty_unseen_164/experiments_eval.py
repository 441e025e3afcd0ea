# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""A registry of experiments, each trained in turn with callbacks."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(47)

EXPERIMENTS = {}


def experiment(name):
    def add(fn):
        EXPERIMENTS[name] = fn
        return fn
    return add


@experiment("shallow")
def shallow():
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3))


@experiment("deep")
def deep():
    return nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 3))


@experiment("normed")
def normed():
    return nn.Sequential(nn.Linear(8, 24), nn.LayerNorm(24), nn.GELU(), nn.Linear(24, 3))


class Callback:
    def on_step(self, run):
        pass

    def on_end(self, run):
        pass


class Validation(Callback):
    def __init__(self, batches):
        self.batches = batches
        self.best = {}

    def on_step(self, run):
        run.model.eval()
        right = total = 0
        for x, y in self.batches:
            scores = run.model(x)  # <- culprit
            right += (scores.argmax(1) == y).sum().item()
            total += len(y)
        run.model.train()
        self.best[run.name] = max(self.best.get(run.name, 0.0), right / total)


class Printer(Callback):
    def on_end(self, run):
        print(f"{run.name:8s} final loss {run.last:.4f}")


class Run:
    def __init__(self, name, callbacks):
        self.name = name
        self.model = EXPERIMENTS[name]()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        self.callbacks = callbacks

    def train(self, data):
        for x, y in data:
            loss = F.cross_entropy(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.last = loss.item()
            for cb in self.callbacks:
                cb.on_step(self)
        for cb in self.callbacks:
            cb.on_end(self)


def make(batches, n, plane):
    out = []
    for _ in range(batches):
        x = torch.randn(n, 8)
        out.append((x, (x @ plane).argmax(1)))
    return out


plane = torch.randn(8, 3)
validation = Validation(make(6, 32, plane))
for name in EXPERIMENTS:
    Run(name, [validation, Printer()]).train(make(35, 32, plane))
print({k: round(v, 3) for k, v in validation.best.items()})
