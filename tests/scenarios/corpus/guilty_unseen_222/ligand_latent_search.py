# gradwatch-corpus: kind=graph-chain
# holder: self.objective | search.objective
# first-bad: 1
"""Gradient search in a molecule autoencoder's latent space against frozen property heads."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor, nn


class PropertyHead(Protocol):
    name: str
    weight: float

    def score(self, decoded: Tensor) -> Tensor: ...


class SurrogateHead(nn.Module):
    def __init__(self, name: str, weight: float, dim: int) -> None:
        super().__init__()
        self.name = name
        self.weight = weight
        self.net = nn.Sequential(nn.Linear(dim, 48), nn.Tanh(), nn.Linear(48, 1))
        self.requires_grad_(False)

    def score(self, decoded: Tensor) -> Tensor:
        return self.net(decoded).squeeze(-1)


class Decoder(nn.Module):
    def __init__(self, latent: int, out: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(latent, 64), nn.ELU(), nn.Linear(64, out))
        self.requires_grad_(False)

    def forward(self, z: Tensor) -> Tensor:
        return self.net(z)


@dataclass
class SearchConfig:
    candidates: int = 32
    latent: int = 16
    decoded: int = 40
    steps: int = 100
    lr: float = 0.02
    prior: float = 1e-3


@dataclass
class LatentSearch:
    cfg: SearchConfig
    decoder: Decoder
    heads: list[PropertyHead]
    z: Tensor = field(init=False)
    objective: Tensor = field(init=False)

    def __post_init__(self) -> None:
        self.z = torch.randn(self.cfg.candidates, self.cfg.latent).requires_grad_()
        self.optimizer = torch.optim.SGD([self.z], lr=self.cfg.lr)
        self.objective = torch.zeros(())

    def evaluate(self) -> dict[str, Tensor]:
        decoded = self.decoder(self.z + 0.01 * torch.randn_like(self.z))
        return {h.name: h.score(decoded) for h in self.heads}

    def advance(self) -> dict[str, float]:
        scores = self.evaluate()
        gain = sum(h.weight * scores[h.name].mean() for h in self.heads)
        self.objective = self.objective - gain + self.cfg.prior * self.z.mean().abs()  # <- culprit
        self.optimizer.zero_grad()
        self.objective.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_([self.z], 5.0)
        self.optimizer.step()
        return {k: v.mean().item() for k, v in scores.items()}


def main() -> None:
    torch.manual_seed(41)
    cfg = SearchConfig()
    heads = [
        SurrogateHead("affinity", 1.0, cfg.decoded),
        SurrogateHead("solubility", 0.4, cfg.decoded),
        SurrogateHead("toxicity", -0.6, cfg.decoded),
    ]
    search = LatentSearch(cfg, Decoder(cfg.latent, cfg.decoded), heads)
    for step in range(cfg.steps):
        report = search.advance()
        if step % 25 == 0:
            print(step, " ".join(f"{k}={v:+.3f}" for k, v in report.items()))


if __name__ == "__main__":
    main()
