# gradwatch-corpus: kind=graph-chain
# holder: self.centers | protos.centers
# first-bad: 1
# notice: 5
"""Sort spectacle lenses by coating: nearest running-average prototype of the embedding."""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    coatings: int = 5
    inputs: int = 20
    dim: int = 8
    momentum: float = 0.9
    temperature: float = 0.5
    steps: int = 80
    batch: int = 40
    seed: int = 31


@dataclass
class Prototypes:
    cfg: Config
    centers: torch.Tensor = field(default=None)

    def __post_init__(self):
        self.centers = F.normalize(torch.randn(self.cfg.coatings, self.cfg.dim), dim=1)

    def absorb(self, z, y):
        member = F.one_hot(y, self.cfg.coatings).float()
        mean = member.T @ z / member.sum(0).clamp(min=1).unsqueeze(1)
        m = self.cfg.momentum
        self.centers = m * self.centers + (1 - m) * mean  # <- culprit

    def score(self, z):
        return -torch.cdist(z, self.centers) / self.cfg.temperature


class Spectra:
    def __init__(self, cfg):
        self.cfg = cfg
        self.signature = torch.randn(cfg.coatings, cfg.inputs)

    def __iter__(self):
        for _ in range(self.cfg.steps):
            y = torch.randint(0, self.cfg.coatings, (self.cfg.batch,))
            yield self.signature[y] + 0.8 * torch.randn(self.cfg.batch, self.cfg.inputs), y


def run(cfg):
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    embed = nn.Linear(cfg.inputs, cfg.dim)
    protos = Prototypes(cfg)
    opt = torch.optim.SGD(embed.parameters(), lr=0.05, momentum=0.8)
    for step, (x, y) in enumerate(Spectra(cfg), 1):
        z = F.normalize(embed(x), dim=1)
        scores = protos.score(z)
        loss = F.cross_entropy(scores, y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        protos.absorb(z, y)  # <- culprit
        if step % 20 == 0:
            hit = (scores.argmax(1) == y).float().mean().item()
            print(f"{step:3d} loss {loss.item():.3f} sorted right {hit:.0%}")


run(Config())
