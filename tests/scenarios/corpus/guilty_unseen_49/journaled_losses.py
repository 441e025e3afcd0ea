# gradwatch-corpus: kind=graph-held
# holder: JOURNAL | JOURNAL[fn.__name__] | JOURNAL["recon"] | JOURNAL["sparsity"] | JOURNAL["smooth"] | entries
# first-bad: 1
from collections import defaultdict
from functools import wraps

import torch
import torch.nn as nn
import torch.nn.functional as F

CONFIG = {
    "seed": 77,
    "optim": {"name": "Adam", "lr": 2e-3},
    "steps": 90,
    "loss": [
        {"term": "recon", "weight": 1.0},
        {"term": "sparsity", "weight": 0.02},
        {"term": "smooth", "weight": 0.1},
    ],
}

TERMS = {}
JOURNAL = defaultdict(list)


def journaled(fn):
    """Every loss term leaves its value in the journal, for the run report."""
    @wraps(fn)
    def call(*args, **kw):
        value = fn(*args, **kw)
        entries = JOURNAL[fn.__name__]
        entries.append(value)  # <- culprit
        return value
    return call


def term(fn):
    TERMS[fn.__name__] = journaled(fn)
    return TERMS[fn.__name__]


@term
def recon(x, code, x_hat):
    return F.mse_loss(x_hat, x)


@term
def sparsity(x, code, x_hat):
    return code.abs().mean()


@term
def smooth(x, code, x_hat):
    return (x_hat[:, 1:] - x_hat[:, :-1]).pow(2).mean()


class ComposedLoss:
    def __init__(self, spec):
        self.parts = [(TERMS[s["term"]], s["weight"]) for s in spec]

    def __call__(self, **tensors):
        return sum(w * fn(**tensors) for fn, w in self.parts)


class AutoEncoder(nn.Module):
    def __init__(self, dim=32, code=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, code))
        self.dec = nn.Sequential(nn.Linear(code, 24), nn.ReLU(), nn.Linear(24, dim))

    def forward(self, x):
        code = self.enc(x)
        return code, self.dec(code)


def sensor_windows(batch=48, dim=32):
    t = torch.linspace(0, 6.28, dim)
    while True:
        phase, freq = torch.rand(batch, 1) * 6.28, 1 + torch.rand(batch, 1)
        yield torch.sin(freq * t + phase) + 0.05 * torch.randn(batch, dim)


def report():
    for name, entries in JOURNAL.items():
        tail = torch.stack([v.detach() for v in entries[-20:]])
        print(f"   {name:9s} {tail.mean():.4f} +- {tail.std():.4f}")


def main(cfg):
    torch.manual_seed(cfg["seed"])
    net = AutoEncoder()
    opt = getattr(torch.optim, cfg["optim"]["name"])(net.parameters(), lr=cfg["optim"]["lr"])
    objective = ComposedLoss(cfg["loss"])
    stream = sensor_windows()
    for it in range(cfg["steps"]):
        x = next(stream)
        code, x_hat = net(x)
        loss = objective(x=x, code=code, x_hat=x_hat)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (it + 1) % 30 == 0:
            print(f"it {it + 1} loss {loss.item():.4f}")
            report()


main(CONFIG)
