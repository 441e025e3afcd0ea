# gradwatch-corpus: kind=second-backward
# holder: self.bank | run.bank | self.bank[k] | self[k] | self
# first-bad: 3
# also: graph-held
"""Few-shot prototypes with an encoder that is trained episode by episode."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Options:
    classes: int = 12
    ways: int = 4
    shots: int = 6
    queries: int = 10
    dim: int = 16
    episodes: int = 120
    refresh: int = 10


class Support:
    def __init__(self, o: Options):
        self.o = o
        self.centers = torch.randn(o.classes, o.dim)

    def draw(self, k, n):
        return self.centers[k] + 0.6 * torch.randn(n, self.o.dim)

    def ways(self, ep):
        start = ep * self.o.ways
        return [(start + j) % self.o.classes for j in range(self.o.ways)]


class PrototypeBank(dict):
    def __init__(self, encoder, support):
        super().__init__()
        self.encoder = encoder
        self.support = support

    def __missing__(self, k):
        shots = self.support.draw(k, self.support.o.shots)
        proto = self.encoder(shots).mean(0)
        self[k] = proto  # <- culprit
        return proto

    def table(self, ks):
        return torch.stack([self[k] for k in ks])


class Episodic:
    def __init__(self, o):
        self.o = o
        self.encoder = nn.Sequential(nn.Linear(o.dim, 48), nn.ReLU(), nn.Linear(48, 12))
        self.support = Support(o)
        self.bank = PrototypeBank(self.encoder, self.support)
        self.opt = torch.optim.SGD(self.encoder.parameters(), lr=0.05, momentum=0.9)

    def step(self, ep):
        if ep % self.o.refresh == 0:  # <- culprit
            self.bank.clear()
        ks = self.support.ways(ep)
        protos = self.bank.table(ks)  # <- culprit
        x = torch.cat([self.support.draw(k, self.o.queries) for k in ks])
        y = torch.arange(len(ks)).repeat_interleave(self.o.queries)
        logits = -torch.cdist(self.encoder(x), protos).square()
        loss = F.cross_entropy(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item(), (logits.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(13)
    o = Options()
    run = Episodic(o)
    for ep in range(o.episodes):
        loss, acc = run.step(ep)
        print(f"episode {ep}: loss {loss:.3f} acc {acc:.2f} cached {len(run.bank)}")


if __name__ == "__main__":
    main()
