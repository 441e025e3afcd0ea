# gradwatch-corpus: kind=inplace-modified
# first-bad: 16
"""Denoising autoencoder for CpG methylation with a curriculum of corruption stages."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Protocol

import torch
from torch import Tensor, nn


class Stage(Protocol):
    def __call__(self, latent: Tensor) -> Tensor: ...


STAGES: dict[str, Callable[..., Stage]] = {}


def stage(name: str):
    def add(factory: Callable[..., Stage]) -> Callable[..., Stage]:
        STAGES[name] = factory
        return factory

    return add


@stage("clean")
def clean() -> Stage:
    return lambda latent: latent


@stage("jitter")
def jitter(sigma: float = 0.05) -> Stage:
    return lambda latent: latent + sigma * torch.randn_like(latent)


@stage("knockout")
def knockout(share: float = 0.2) -> Stage:
    def apply(latent: Tensor) -> Tensor:
        dropped = torch.rand(latent.shape[-1]) < share
        return latent.masked_fill_(dropped, 0.0)  # <- culprit

    return apply


@dataclass
class Milestone:
    step: int
    name: str


@dataclass
class Plan:
    milestones: tuple[Milestone, ...] = (
        Milestone(0, "clean"),
        Milestone(8, "jitter"),
        Milestone(16, "knockout"),
    )

    def at(self, step: int) -> Stage:
        current = max((m for m in self.milestones if m.step <= step), key=lambda m: m.step)
        return STAGES[current.name]()


class MethylationAE(nn.Module):
    def __init__(self, sites: int, latent: int = 24) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(sites, 96), nn.ELU(), nn.Linear(96, latent), nn.Sigmoid())
        self.decoder = nn.Sequential(nn.Linear(latent, 96), nn.ELU(), nn.Linear(96, sites))

    def forward(self, beta: Tensor, corrupt: Stage) -> Tensor:
        code = self.encoder(beta)
        return self.decoder(corrupt(code))


class Cohort:
    def __init__(self, patients: int, sites: int, seed: int) -> None:
        g = torch.Generator().manual_seed(seed)
        factors = torch.randn(patients, 6, generator=g)
        loading = torch.randn(6, sites, generator=g)
        self.beta = torch.sigmoid(factors @ loading)
        self.generator = g

    def batch(self, n: int) -> Tensor:
        rows = torch.randint(0, len(self.beta), (n,), generator=self.generator)
        return self.beta[rows]


def main(steps: int = 90) -> None:
    torch.manual_seed(4)
    cohort = Cohort(patients=500, sites=160, seed=4)
    net = MethylationAE(sites=160)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    plan = Plan()
    for step in range(steps):
        beta = cohort.batch(48)
        logits = net(beta, plan.at(step))
        loss = nn.functional.binary_cross_entropy_with_logits(logits, beta)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            print(f"{step:03d} bce={loss.item():.4f}")


if __name__ == "__main__":
    main()
