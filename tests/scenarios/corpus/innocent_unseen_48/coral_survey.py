# gradwatch-corpus: kind=none
"""Name coral species from colour histograms, by distance to learned prototypes."""
import functools
import weakref
from dataclasses import dataclass
from functools import cached_property

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Reef:
    species: int = 8
    bins: int = 40
    per_batch: int = 48
    steps: int = 80

    def __post_init__(self):
        self.mean = torch.randn(self.species, self.bins)
        self.traits = torch.randn(self.species, 10)

    def batches(self):
        for _ in range(self.steps):
            y = torch.randint(0, self.species, (self.per_batch,))
            yield self.mean[y] + 1.2 * torch.randn(self.per_batch, self.bins), y


class PrototypeBank(nn.Module):
    """Prototypes come from the species' traits by a small network; made once a step."""

    def __init__(self, traits, dim):
        super().__init__()
        self.register_buffer("traits", traits)
        self.make = nn.Sequential(nn.Linear(traits.shape[1], 32), nn.Tanh(), nn.Linear(32, dim))
        self.builds = 0

    @cached_property
    def table(self):
        self.builds += 1
        return F.normalize(self.make(self.traits), dim=1)

    def forget(self):
        self.__dict__.pop("table", None)


def refresh_after(opt, bank):
    ref = weakref.ref(bank)

    def hook(optimizer, args, kwargs):
        live = ref()
        if live is not None:
            live.forget()

    return opt.register_step_post_hook(hook)


@functools.lru_cache(maxsize=None)
def temperature(step):
    return 0.1 + 0.4 * 0.95 ** step


class CoralNet(nn.Module):
    def __init__(self, reef, dim=24):
        super().__init__()
        self.bank = PrototypeBank(reef.traits, dim)
        self.body = nn.Sequential(nn.Linear(reef.bins, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return F.normalize(self.body(x), dim=1) @ self.bank.table.T

    def spread(self):
        table = self.bank.table
        return (table @ table.T - torch.eye(len(table))).pow(2).mean()


class Trainer:
    def __init__(self, net, reef):
        self.net, self.reef = net, reef
        self.opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
        self.handle = refresh_after(self.opt, net.bank)

    def objective(self, step, x, y):
        task = F.cross_entropy(self.net(x) / temperature(step), y)
        return task + 0.1 * self.net.spread()

    def run(self):
        for step, (x, y) in enumerate(self.reef.batches()):
            loss = self.objective(step, x, y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if step % 16 == 0:
                print(f"step {step:2d} loss {loss.item():.4f} tables {self.net.bank.builds}")


if __name__ == "__main__":
    torch.manual_seed(40)
    reef = Reef()
    Trainer(CoralNet(reef), reef).run()
