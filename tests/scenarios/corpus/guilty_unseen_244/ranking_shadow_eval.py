# gradwatch-corpus: kind=graph-held
# holder: self.disagreements | audit.disagreements | self.audit.disagreements | run.audit.disagreements
# first-bad: 1
"""Hotel search ranking: the champion serves, a challenger trains in its shadow on the same impressions."""
from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class RankingSpec:
    slate: int = 12
    queries: int = 24
    hotel_dim: int = 20
    query_dim: int = 8
    steps: int = 130
    promote_every: int = 40
    tolerance: float = 0.02
    lr: float = 4e-3


@dataclass
class Disagreement:
    step: int
    query_index: int
    served_top: int
    shadow_margin: Tensor


class SlateRanker(nn.Module):
    def __init__(self, spec: RankingSpec) -> None:
        super().__init__()
        self.score = nn.Sequential(
            nn.Linear(spec.hotel_dim + spec.query_dim, 40),
            nn.LayerNorm(40),
            nn.GELU(),
            nn.Linear(40, 1),
        )

    def forward(self, query: Tensor, hotels: Tensor) -> Tensor:
        wide = query.unsqueeze(1).expand(-1, hotels.shape[1], -1)
        return self.score(torch.cat([wide, hotels], dim=-1)).squeeze(-1)


class ImpressionLog:
    def __init__(self, spec: RankingSpec, seed: int) -> None:
        self.spec = spec
        self.gen = torch.Generator().manual_seed(seed)
        self.taste = torch.randn(spec.query_dim, spec.hotel_dim, generator=self.gen)

    def next(self) -> tuple[Tensor, Tensor, Tensor]:
        s = self.spec
        query = torch.randn(s.queries, s.query_dim, generator=self.gen)
        hotels = torch.randn(s.queries, s.slate, s.hotel_dim, generator=self.gen)
        utility = torch.einsum("qd,dh,qsh->qs", query, self.taste, hotels) * 0.2
        gumbel = -torch.log(-torch.log(torch.rand(utility.shape, generator=self.gen).clamp(1e-6, 1 - 1e-6)))
        return query, hotels, (utility + gumbel).argmax(dim=1)


class ShadowAudit:
    def __init__(self, spec: RankingSpec) -> None:
        self.spec = spec
        self.disagreements: list[Disagreement] = []
        self.seen = 0

    def compare(self, step: int, served: Tensor, shadow: Tensor) -> None:
        self.seen += served.shape[0]
        served_top = served.argmax(dim=1)
        shadow_best = shadow.max(dim=1).values
        at_served = shadow.gather(1, served_top.unsqueeze(1)).squeeze(1)
        margin = shadow_best - at_served  # <- culprit
        for q in torch.nonzero(margin > self.spec.tolerance).flatten().tolist():
            self.disagreements.append(Disagreement(step, q, int(served_top[q]), margin[q]))  # <- culprit

    def summary(self) -> str:
        share = len(self.disagreements) / max(self.seen, 1)
        worst = max(self.disagreements, key=lambda d: d.shadow_margin.item())
        return f"disagree {share:.1%}, worst margin {worst.shadow_margin.item():.3f} at step {worst.step}"


class ShadowRun:
    def __init__(self, spec: RankingSpec) -> None:
        self.spec = spec
        self.shadow = SlateRanker(spec)
        self.champion = SlateRanker(spec).requires_grad_(False)
        self.audit = ShadowAudit(spec)
        self.opt = torch.optim.AdamW(self.shadow.parameters(), lr=spec.lr)

    def promote(self) -> None:
        self.champion.load_state_dict(copy.deepcopy(self.shadow.state_dict()))

    def step(self, n: int, query: Tensor, hotels: Tensor, clicked: Tensor) -> float:
        with torch.no_grad():
            served = self.champion(query, hotels)
        ranked = self.shadow(query, hotels)
        loss = nn.functional.cross_entropy(ranked, clicked)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        self.audit.compare(n, served, ranked)
        return loss.item()


def main() -> None:
    torch.manual_seed(12)
    spec = RankingSpec()
    impressions = ImpressionLog(spec, seed=13)
    run = ShadowRun(spec)
    for n in range(spec.steps):
        nll = run.step(n, *impressions.next())
        if (n + 1) % spec.promote_every == 0:
            print(f"step {n + 1}: nll {nll:.4f}; {run.audit.summary()}")
            run.promote()
    print(run.audit.summary())


if __name__ == "__main__":
    main()
