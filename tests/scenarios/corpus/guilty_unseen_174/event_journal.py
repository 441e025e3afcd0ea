# gradwatch-corpus: kind=graph-held
# holder: self.entries | journal.entries | trainer.bus.journal.entries | self.bus.journal.entries | self.journal.entries
# first-bad: 1
"""Denoising autoencoder for sensor strips, with an event bus and a run journal."""
import argparse
import time
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class StepResult:
    step: int
    objective: torch.Tensor
    terms: dict = field(default_factory=dict)

    def item(self):
        return float(self.objective.detach())


@dataclass
class Entry:
    kind: str
    when: float
    payload: object


class Journal:
    """Chronological record of everything that went over the bus."""

    def __init__(self, kinds):
        self.kinds = set(kinds)
        self.entries = []

    def record(self, kind, payload):
        if kind in self.kinds:
            self.entries.append(Entry(kind, time.monotonic(), payload))  # <- culprit

    def tail(self, kind, n):
        return [e.payload for e in self.entries if e.kind == kind][-n:]


class Bus:
    def __init__(self, journal):
        self.journal = journal
        self.subs = defaultdict(list)

    def on(self, kind, fn):
        self.subs[kind].append(fn)

    def emit(self, kind, payload=None):
        self.journal.record(kind, payload)
        for fn in self.subs[kind]:
            fn(payload)


class StripAutoencoder(nn.Module):
    def __init__(self, width=64, code=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, code))
        self.dec = nn.Sequential(nn.Linear(code, 32), nn.GELU(), nn.Linear(32, width))

    def forward(self, x):
        z = self.enc(x)
        return self.dec(z), z


class DenoiseTrainer:
    def __init__(self, model, bus, lr=2e-3, sparsity=1e-3):
        self.model, self.bus, self.sparsity = model, bus, sparsity
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def compute(self, step, clean):
        noisy = clean + 0.3 * torch.randn_like(clean)
        recon, z = self.model(noisy)
        mse = (recon - clean).pow(2).mean()
        l1 = z.abs().mean()
        return StepResult(step, mse + self.sparsity * l1, {"mse": mse.item(), "l1": l1.item()})

    def fit(self, steps):
        self.bus.emit("start")
        grid = torch.linspace(0, 6.28, 64)
        for step in range(steps):
            clean = torch.sin(grid * (1 + 2 * torch.rand(32, 1)) + 6 * torch.rand(32, 1))
            result = self.compute(step, clean)
            self.opt.zero_grad()
            result.objective.backward()
            self.opt.step()
            self.bus.emit("step", result)
        self.bus.emit("end")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    args = parser.parse_args()
    torch.manual_seed(21)
    journal = Journal({"start", "step", "end"})
    bus = Bus(journal)

    def show(result):
        if result.step % 100 == 99:
            recent = journal.tail("step", 20)
            print(result.step + 1, sum(r.item() for r in recent) / len(recent), result.terms)

    bus.on("step", show)
    DenoiseTrainer(StripAutoencoder(), bus).fit(args.steps)


if __name__ == "__main__":
    main()
