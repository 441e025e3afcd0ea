# gradwatch-corpus: kind=none
"""Second-order MAML over simulated hospital sites."""
from dataclasses import dataclass
from typing import Dict, List

import torch
from torch import Tensor, nn
from torch.func import functional_call

Weights = Dict[str, Tensor]


@dataclass
class MetaConfig:
    rounds: int = 80
    sites_per_round: int = 4
    inner_steps: int = 2
    inner_lr: float = 0.1
    outer_lr: float = 2e-3
    support: int = 16
    query: int = 24


class Site:
    def __init__(self, generator: torch.Generator):
        self.amp = 0.5 + 2 * torch.rand((), generator=generator)
        self.phase = 3 * torch.rand((), generator=generator)
        self.generator = generator

    def draw(self, n: int):
        x = 6 * torch.rand(n, 1, generator=self.generator) - 3
        return x, self.amp * torch.sin(x + self.phase)


class MetaServer:
    def __init__(self, net: nn.Module, cfg: MetaConfig):
        self.net = net
        self.cfg = cfg
        self.optimizer = torch.optim.Adam(net.parameters(), lr=cfg.outer_lr)
        self.history: List[Dict[str, float]] = []

    def loss(self, weights: Weights, x: Tensor, y: Tensor) -> Tensor:
        return nn.functional.mse_loss(functional_call(self.net, weights, (x,)), y)

    def adapt(self, site: Site) -> Weights:
        weights = dict(self.net.named_parameters())
        x, y = site.draw(self.cfg.support)
        for _ in range(self.cfg.inner_steps):
            loss = self.loss(weights, x, y)
            grads = torch.autograd.grad(loss, tuple(weights.values()), create_graph=True)
            weights = {k: w - self.cfg.inner_lr * g for (k, w), g in zip(weights.items(), grads)}
        return weights

    def round(self, cohort: List[Site]) -> float:
        total = torch.zeros(())
        for site in cohort:
            adapted = self.adapt(site)
            x, y = site.draw(self.cfg.query)
            total = total + self.loss(adapted, x, y)
        outer = total / len(cohort)
        self.optimizer.zero_grad()
        outer.backward()
        self.optimizer.step()
        self.history.append({"outer": outer.item(), "sites": float(len(cohort))})
        return self.history[-1]["outer"]


def main() -> None:
    torch.manual_seed(21)
    cfg = MetaConfig()
    gen = torch.Generator().manual_seed(22)
    sites = [Site(gen) for _ in range(30)]
    net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    server = MetaServer(net, cfg)
    for r in range(cfg.rounds):
        picks = torch.randperm(len(sites))[: cfg.sites_per_round].tolist()
        value = server.round([sites[i] for i in picks])
        if r % 16 == 15:
            print(f"round {r + 1}: post-adaptation mse {value:.4f}")


if __name__ == "__main__":
    main()
