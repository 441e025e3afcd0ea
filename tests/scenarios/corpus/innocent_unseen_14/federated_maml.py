# gradwatch-corpus: kind=none
"""Personalised federated learning as MAML: every site adapts the shared initialisation by a few
differentiable steps, and the server descends the query losses of a cohort through them."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.func import functional_call

Weights = Mapping[str, Tensor]


class Site(Protocol):
    name: str

    def support(self) -> tuple[Tensor, Tensor]: ...

    def query(self) -> tuple[Tensor, Tensor]: ...


@dataclass
class Sinusoid:
    name: str
    amplitude: float
    phase: float
    gen: torch.Generator

    def _draw(self, n: int) -> tuple[Tensor, Tensor]:
        x = torch.rand(n, 1, generator=self.gen) * 10 - 5
        return x / 5, self.amplitude * torch.sin(x + self.phase)

    def support(self):
        return self._draw(10)

    def query(self):
        return self._draw(20)


@dataclass(slots=True)
class Adaptation:
    weights: dict[str, Tensor]
    trail: list[Tensor]


class InnerLoop:
    """A few plain gradient steps, with learned per-tensor rates, kept differentiable."""

    def __init__(self, net: nn.Module, rates: nn.ParameterDict, steps: int):
        self.net, self.rates, self.steps = net, rates, steps

    def __call__(self, site: Site) -> Adaptation:
        weights: dict[str, Tensor] = dict(self.net.named_parameters())
        trail = []
        x, y = site.support()
        for _ in range(self.steps):
            loss = F.mse_loss(functional_call(self.net, weights, (x,)), y)
            grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            weights = {k: w - self.rates[k.replace(".", "_")] * g
                       for (k, w), g in zip(weights.items(), grads)}
            trail.append(loss)
        return Adaptation(weights, trail)


class Server:
    def __init__(self, net: nn.Module, inner_steps: int = 2):
        self.net = net
        self.rates = nn.ParameterDict(
            {k.replace(".", "_"): nn.Parameter(torch.tensor(0.05)) for k, _ in net.named_parameters()})
        self.inner = InnerLoop(net, self.rates, inner_steps)
        self.opt = torch.optim.Adam([*net.parameters(), *self.rates.parameters()], lr=2e-3)
        self.cohort: list[Adaptation] = []
        self.per_site: dict[str, float] = {}

    def round(self, sites: list[Site]) -> float:
        self.cohort.clear()
        losses = []
        for site in sites:
            adapted = self.inner(site)
            self.cohort.append(adapted)
            x, y = site.query()
            loss = F.mse_loss(functional_call(self.net, adapted.weights, (x,)), y)
            losses.append(loss + 0.1 * adapted.trail[-1])
            self.per_site[site.name] = loss.item()
        total = torch.stack(losses).mean()
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.opt.step()
        gain = sum((a.trail[0] - a.trail[-1]).item() for a in self.cohort) / len(self.cohort)
        self.cohort.clear()
        return gain


def main(rounds: int = 220) -> None:
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(7)
    sites = [Sinusoid(f"site{i:02d}", 0.5 + 2 * torch.rand((), generator=gen).item(),
                      3.14 * torch.rand((), generator=gen).item(), gen) for i in range(12)]
    server = Server(nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1)))
    for r in range(rounds):
        chosen = torch.randperm(len(sites), generator=gen)[:3].tolist()
        gain = server.round([sites[i] for i in chosen])
        if r % 55 == 54:
            mean = sum(server.per_site.values()) / len(server.per_site)
            print(f"round {r + 1:3d}  query mse {mean:.3f}  inner gain {gain:+.3f}  sites seen {len(server.per_site)}")


if __name__ == "__main__":
    main()
