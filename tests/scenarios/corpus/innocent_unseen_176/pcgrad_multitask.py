# gradwatch-corpus: kind=none
"""Multi-task tabular regression with projected conflicting gradients (PCGrad)."""
from __future__ import annotations

import random
from collections import Counter

import torch
import torch.nn as nn
import torch.nn.functional as F

TASKS = ("price", "churn", "volume")


class SharedBottom(nn.Module):
    def __init__(self, features: int = 14, hidden: int = 48):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(features, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU())
        self.heads = nn.ModuleDict({t: nn.Linear(hidden, 1) for t in TASKS})

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        h = self.shared(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


class PCGrad:
    def __init__(self, optimizer: torch.optim.Optimizer, seed: int = 0):
        self.optimizer = optimizer
        self.rng = random.Random(seed)
        self.conflicts: Counter[str] = Counter()

    @property
    def params(self) -> list[nn.Parameter]:
        return [p for g in self.optimizer.param_groups for p in g["params"]]

    def _flat_grad(self, loss: torch.Tensor, keep: bool) -> torch.Tensor:
        grads = torch.autograd.grad(loss, self.params, retain_graph=keep, allow_unused=True)
        return torch.cat(
            [torch.zeros_like(p).flatten() if g is None else g.flatten() for p, g in zip(self.params, grads)]
        )

    def step(self, losses: dict[str, torch.Tensor]) -> None:
        names = list(losses)
        raw = {n: self._flat_grad(losses[n], keep=n != names[-1]) for n in names}
        merged = torch.zeros_like(raw[names[0]])
        for name in names:
            g = raw[name].clone()
            others = [n for n in names if n != name]
            self.rng.shuffle(others)
            for other in others:
                dot = torch.dot(g, raw[other])
                if dot < 0:
                    self.conflicts[f"{name}|{other}"] += 1
                    g -= dot / raw[other].square().sum().clamp_min(1e-12) * raw[other]
            merged += g
        offset = 0
        for p in self.params:
            p.grad = merged[offset : offset + p.numel()].view_as(p).clone()
            offset += p.numel()
        self.optimizer.step()


def batches(n: int, gen: torch.Generator):
    w = torch.randn(3, 14, generator=gen)
    for _ in range(n):
        x = torch.randn(64, 14, generator=gen)
        z = x @ w.T / 3
        yield x, {"price": z[:, 0].tanh(), "churn": (z[:, 1] > 0).float(), "volume": z[:, 2].abs()}


def main() -> None:
    torch.manual_seed(10)
    model = SharedBottom()
    pcgrad = PCGrad(torch.optim.Adam(model.parameters(), lr=2e-3))
    history: dict[str, list[float]] = {t: [] for t in TASKS}
    for step, (x, y) in enumerate(batches(500, torch.Generator().manual_seed(11))):
        out = model(x)
        losses = {
            "price": F.mse_loss(out["price"], y["price"]),
            "churn": F.binary_cross_entropy_with_logits(out["churn"], y["churn"]),
            "volume": F.smooth_l1_loss(out["volume"], y["volume"]),
        }
        pcgrad.step(losses)
        for t, value in losses.items():
            history[t].append(value.item())
        if step % 100 == 0:
            print(step, {t: round(sum(h[-20:]) / len(h[-20:]), 3) for t, h in history.items()})
    print(pcgrad.conflicts.most_common(3))


if __name__ == "__main__":
    main()
