# gradwatch-corpus: kind=none
"""Click, booking and cancellation heads for travel ads; task weights follow GradNorm."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class TravelConfig:
    markets: int = 40
    devices: int = 5
    emb: int = 8
    dense: int = 10
    width: int = 32
    batch: int = 80
    asymmetry: float = 0.7
    weight_lr: float = 0.02
    lr: float = 3e-3
    steps: int = 120


HEADS = ("click", "booking", "cancel")


class Reporter(Protocol):
    def __call__(self, step: int, losses: Tensor, weights: Tensor) -> None: ...


def print_reporter(every: int) -> Reporter:
    def report(step: int, losses: Tensor, weights: Tensor) -> None:
        if step % every == 0:
            cells = [f"{h} {a:.3f}x{w:.2f}" for h, a, w in zip(HEADS, losses.tolist(), weights.tolist())]
            print(f"step {step}: " + ", ".join(cells))

    return report


class AdNet(nn.Module):
    def __init__(self, cfg: TravelConfig) -> None:
        super().__init__()
        self.market = nn.Embedding(cfg.markets, cfg.emb)
        self.device = nn.Embedding(cfg.devices, cfg.emb)
        self.mix = nn.Linear(2 * cfg.emb + cfg.dense, cfg.width)
        self.shared = nn.Linear(cfg.width, cfg.width)
        self.out = nn.Linear(cfg.width, len(HEADS))

    def forward(self, market: Tensor, device: Tensor, dense: Tensor) -> Tensor:
        z = torch.cat([self.market(market), self.device(device), dense], dim=1)
        z = torch.relu(self.mix(z))
        return self.out(torch.relu(self.shared(z)))


class ImpressionSampler:
    def __init__(self, cfg: TravelConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.effect = torch.randn(cfg.dense, len(HEADS), generator=self.gen)
        self.offset = torch.tensor([0.0, -1.0, -2.0])

    def sample(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        n = self.cfg.batch
        market = torch.randint(self.cfg.markets, (n,), generator=self.gen)
        device = torch.randint(self.cfg.devices, (n,), generator=self.gen)
        dense = torch.randn(n, self.cfg.dense, generator=self.gen)
        chance = torch.sigmoid(dense @ self.effect * 0.5 + self.offset)
        labels = (torch.rand(chance.shape, generator=self.gen) < chance).float()
        return market, device, dense, labels


class GradNormTrainer:
    def __init__(self, cfg: TravelConfig, report: Reporter) -> None:
        self.cfg = cfg
        self.net = AdNet(cfg)
        self.weights = nn.Parameter(torch.ones(len(HEADS)))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.weight_opt = torch.optim.SGD([self.weights], lr=cfg.weight_lr)
        self.initial: Tensor | None = None
        self.report = report

    def _losses(self, batch: tuple[Tensor, Tensor, Tensor, Tensor]) -> Tensor:
        *inputs, labels = batch
        logits = self.net(*inputs)
        return nn.functional.binary_cross_entropy_with_logits(logits, labels, reduction="none").mean(dim=0)

    def _balance(self, losses: Tensor) -> Tensor:
        norms = []
        for weight, loss in zip(self.weights, losses):
            (g,) = torch.autograd.grad(loss, self.net.shared.weight, retain_graph=True)
            norms.append(weight * g.norm())
        stacked = torch.stack(norms)
        ratio = losses.detach() / self.initial
        goal = stacked.detach().mean() * (ratio / ratio.mean()).pow(self.cfg.asymmetry)
        return (stacked - goal).abs().sum()

    def step(self, n: int, batch: tuple[Tensor, Tensor, Tensor, Tensor]) -> None:
        losses = self._losses(batch)
        if self.initial is None:
            self.initial = losses.detach().clone()
        balance = self._balance(losses)
        self.weight_opt.zero_grad()
        balance.backward()
        self.opt.zero_grad()
        (self.weights.detach() * losses).sum().backward()
        self.opt.step()
        self.weight_opt.step()
        with torch.no_grad():
            self.weights.clamp_(min=0.05)
            self.weights.mul_(len(HEADS) / self.weights.sum())
        self.report(n, losses.detach(), self.weights.detach())


def main() -> None:
    torch.manual_seed(15)
    cfg = TravelConfig()
    sampler = ImpressionSampler(cfg, seed=16)
    trainer = GradNormTrainer(cfg, print_reporter(every=20))
    for n in range(cfg.steps):
        trainer.step(n, sampler.sample())


if __name__ == "__main__":
    main()
