# gradwatch-corpus: kind=none
"""Multi-assay toxicity model; task gradients are projected against each other on the shared trunk."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import torch
from torch import Tensor, nn
import torch.nn.functional as F

ASSAYS = ("hERG", "ames", "hepatic")


class AssayNet(nn.Module):
    def __init__(self, bits: int, width: int) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(bits, width), nn.SiLU(), nn.LayerNorm(width), nn.Linear(width, width))
        self.heads = nn.ModuleDict({a: nn.Linear(width, 1) for a in ASSAYS})

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        z = self.trunk(x)
        return {a: head(z).squeeze(-1) for a, head in self.heads.items()}


@dataclass
class ProjectionStats:
    conflicts: int = 0
    pairs: int = 0


class GradientSurgery:
    def __init__(self, model: AssayNet) -> None:
        self.shared = list(model.trunk.parameters())
        self.everything = list(model.parameters())
        self.stats = ProjectionStats()
        self.cosines: deque[float] = deque(maxlen=64)

    def flat(self, loss: Tensor, last: bool) -> tuple[Tensor, list[Tensor | None]]:
        grads = torch.autograd.grad(loss, self.everything, retain_graph=not last, allow_unused=True)
        shared = torch.cat([g.flatten() for g in grads[: len(self.shared)]])
        return shared, list(grads[len(self.shared) :])

    def __call__(self, losses: dict[str, Tensor]) -> None:
        vectors = []
        for p in self.everything:
            p.grad = None
        for i, loss in enumerate(losses.values()):
            shared, own = self.flat(loss, last=i == len(losses) - 1)
            vectors.append(shared)
            for p, g in zip(self.everything[len(self.shared) :], own):
                if g is not None:
                    p.grad = g if p.grad is None else p.grad + g
        merged = torch.zeros_like(vectors[0])
        for i, v in enumerate(vectors):
            v = v.clone()
            for j, w in enumerate(vectors):
                if i == j:
                    continue
                dot = v @ w
                self.stats.pairs += 1
                self.cosines.append(F.cosine_similarity(v, w, dim=0).item())
                if dot < 0:
                    self.stats.conflicts += 1
                    v -= dot / (w @ w).clamp_min(1e-12) * w
            merged += v
        start = 0
        for p in self.shared:
            p.grad = merged[start : start + p.numel()].view_as(p).clone()
            start += p.numel()


def fingerprints(n: int, bits: int) -> tuple[Tensor, dict[str, Tensor]]:
    x = torch.bernoulli(torch.full((n, bits), 0.2))
    a = x[:, :8].sum(1)
    b = x[:, 8:16].sum(1)
    return x, {"hERG": (a > b).float(), "ames": (b > a).float(), "hepatic": (a + b > 3).float()}


def main() -> None:
    torch.manual_seed(15)
    model = AssayNet(128, 48)
    surgery = GradientSurgery(model)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(120):
        x, labels = fingerprints(64, 128)
        logits = model(x)
        losses = {a: F.binary_cross_entropy_with_logits(logits[a], labels[a]) for a in ASSAYS}
        surgery(losses)
        opt.step()
        if step % 30 == 0:
            text = " ".join(f"{a}={l.item():.3f}" for a, l in losses.items())
            print(f"{step:3d} {text} conflicts {surgery.stats.conflicts}/{surgery.stats.pairs}")


if __name__ == "__main__":
    main()
