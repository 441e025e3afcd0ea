# gradwatch-corpus: kind=none
"""Few-shot capacity fade curves per EV pack, second-order meta-learning."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Dict, Iterable, List

import torch
from torch import Tensor, nn
from torch.func import functional_call

Params = Dict[str, Tensor]


@dataclass(frozen=True)
class PackConfig:
    features: int = 4
    hidden: int = 20
    shots: int = 8
    queries: int = 16
    packs_per_step: int = 3
    inner_steps: int = 2
    inner_lr: float = 0.1
    meta_lr: float = 3e-3
    meta_steps: int = 80
    window: int = 10


@dataclass
class Pack:
    support_x: Tensor
    support_y: Tensor
    query_x: Tensor
    query_y: Tensor


class FadeCurve(nn.Module):
    def __init__(self, cfg: PackConfig) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(cfg.features, cfg.hidden),
            nn.Tanh(),
            nn.Linear(cfg.hidden, cfg.hidden),
            nn.Tanh(),
            nn.Linear(cfg.hidden, 1),
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.layers(x).squeeze(-1)


class FleetOfPacks:
    def __init__(self, cfg: PackConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)

    def pack(self) -> Pack:
        n = self.cfg.shots + self.cfg.queries
        x = torch.rand(n, self.cfg.features, generator=self.gen)
        knee = 0.4 + 0.4 * torch.rand(1, generator=self.gen)
        heat = torch.rand(1, generator=self.gen)
        y = 1 - 0.3 * x[:, 0] - heat * torch.relu(x[:, 0] - knee) - 0.1 * heat * x[:, 1]
        k = self.cfg.shots
        return Pack(x[:k], y[:k], x[k:], y[k:])

    def draw(self) -> List[Pack]:
        return [self.pack() for _ in range(self.cfg.packs_per_step)]


class MetaLearner:
    def __init__(self, cfg: PackConfig) -> None:
        self.cfg = cfg
        self.net = FadeCurve(cfg)
        self.log_rate = nn.Parameter(torch.tensor(cfg.inner_lr).log())
        self.opt = torch.optim.Adam([*self.net.parameters(), self.log_rate], lr=cfg.meta_lr)
        self.recent: deque[float] = deque(maxlen=cfg.window)
        self.best = float("inf")
        self.best_weights: Params = {}

    def fit_pack(self, pack: Pack) -> Params:
        params: Params = dict(self.net.named_parameters())
        for _ in range(self.cfg.inner_steps):
            miss = functional_call(self.net, params, (pack.support_x,)) - pack.support_y
            grads = torch.autograd.grad(miss.pow(2).mean(), list(params.values()), create_graph=True)
            rate = self.log_rate.exp()
            params = {name: p - rate * g for (name, p), g in zip(params.items(), grads)}
        return params

    def query_loss(self, pack: Pack) -> Tensor:
        adapted = self.fit_pack(pack)
        return nn.functional.mse_loss(functional_call(self.net, adapted, (pack.query_x,)), pack.query_y)

    def meta_step(self, packs: Iterable[Pack]) -> float:
        total = torch.stack([self.query_loss(p) for p in packs]).mean()
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.recent.append(total.item())
        self._track()
        return total.item()

    def _track(self) -> None:
        if len(self.recent) < self.cfg.window:
            return
        mean = sum(self.recent) / len(self.recent)
        if mean < self.best:
            self.best = mean
            self.best_weights = {k: v.detach().clone() for k, v in self.net.named_parameters()}


def main() -> None:
    torch.manual_seed(230)
    cfg = PackConfig()
    fleet = FleetOfPacks(cfg, seed=231)
    learner = MetaLearner(cfg)
    for n in range(cfg.meta_steps):
        loss = learner.meta_step(fleet.draw())
        if n % 10 == 9:
            print(f"meta step {n + 1}: {loss:.5f} best window {learner.best:.5f} inner rate {learner.log_rate.exp().item():.4f}")


if __name__ == "__main__":
    main()
