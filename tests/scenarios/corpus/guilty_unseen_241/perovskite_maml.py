# gradwatch-corpus: kind=graph-held
# holder: self.atlas | learner.atlas
# first-bad: 1
"""Meta-learning of band gap response for families of mixed perovskites (MAML, two inner steps)."""
from dataclasses import dataclass, field
from typing import Dict, Iterator, Tuple

import torch
from torch import nn
from torch.func import functional_call


@dataclass(frozen=True)
class Family:
    serial: int
    halide: int
    offset: float
    bowing: float
    tilt: torch.Tensor = field(repr=False)

    def measure(self, rng, n):
        x = torch.rand(n, 4, generator=rng)
        mix = x[:, 0]
        gap = self.offset + x @ self.tilt - self.bowing * mix * (1 - mix)
        return x, gap.unsqueeze(-1)


def families(seed, n) -> Iterator[Family]:
    rng = torch.Generator().manual_seed(seed)
    for serial in range(n):
        draw = torch.rand(3, generator=rng)
        yield Family(
            serial=serial,
            halide=int(draw[2] * 3),
            offset=float(1.2 + draw[0]),
            bowing=float(0.3 + 0.4 * draw[1]),
            tilt=0.3 * torch.randn(4, generator=rng),
        )


class GapNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh())
        self.gap = nn.Linear(40, 1)

    def forward(self, x):
        return self.gap(self.body(x))


class InnerLoopMixin:
    inner_lr = 0.05
    inner_steps = 2

    def personalise(self, x, gap) -> Dict[str, torch.Tensor]:
        weights = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            miss = nn.functional.mse_loss(functional_call(self.net, weights, (x,)), gap)
            grads = torch.autograd.grad(miss, tuple(weights.values()), create_graph=True)
            weights = {k: w - self.inner_lr * g for (k, w), g in zip(weights.items(), grads)}
        return weights


class GapLearner(InnerLoopMixin):
    def __init__(self, seed=77):
        torch.manual_seed(seed)
        self.net = GapNet()
        self.rng = torch.Generator().manual_seed(seed + 1)
        self.meta_opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.atlas: Dict[Tuple[int, int], torch.Tensor] = {}

    def absorb(self, family: Family) -> float:
        x, gap = family.measure(self.rng, 12)
        x_query, gap_query = family.measure(self.rng, 24)
        weights = self.personalise(x, gap)
        query = nn.functional.mse_loss(functional_call(self.net, weights, (x_query,)), gap_query)
        self.meta_opt.zero_grad()
        query.backward()
        self.meta_opt.step()
        self.atlas[family.halide, family.serial] = weights["gap.weight"]  # <- culprit
        return query.item()

    @torch.no_grad()
    def spread(self, halide):
        rows = [w.flatten() for (h, _), w in self.atlas.items() if h == halide]
        if len(rows) < 2:
            return 0.0
        return torch.stack(rows).std(dim=0).mean().item()


def main():
    learner = GapLearner()
    smooth = None
    for family in families(seed=6, n=140):
        loss = learner.absorb(family)
        smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
        if family.serial % 20 == 0:
            spreads = " ".join(f"{learner.spread(h):.4f}" for h in range(3))
            print(f"family {family.serial:3d} query {smooth:.4f} spread {spreads}")


if __name__ == "__main__":
    main()
