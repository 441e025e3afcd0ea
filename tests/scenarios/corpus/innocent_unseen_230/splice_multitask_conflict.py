# gradwatch-corpus: kind=none
"""Splice-site tasks with projected conflicting gradients on the shared trunk."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import permutations

import torch
from torch import Tensor, nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


@dataclass
class Config:
    length: int = 60
    batch: int = 32
    steps: int = 90
    lr: float = 1e-3
    tasks: tuple[str, ...] = ("donor", "acceptor", "exon")


class Trunk(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(4, 32, 9, padding=4), nn.ReLU(), nn.Conv1d(32, 32, 5, padding=2), nn.ReLU())

    def forward(self, x: Tensor) -> Tensor:
        return self.conv(x).amax(-1)


class SharedModel(nn.Module):
    def __init__(self, tasks: tuple[str, ...]) -> None:
        super().__init__()
        self.trunk = Trunk()
        self.heads = nn.ModuleDict({task: nn.Linear(32, 1) for task in tasks})

    def losses(self, x: Tensor, targets: dict[str, Tensor]) -> dict[str, Tensor]:
        h = self.trunk(x)
        score = nn.functional.binary_cross_entropy_with_logits
        return {t: score(head(h).squeeze(-1), targets[t]) for t, head in self.heads.items()}


def project(gradients: list[Tensor]) -> Tensor:
    adjusted = [g.clone() for g in gradients]
    for i, j in permutations(range(len(gradients)), 2):
        overlap = torch.dot(adjusted[i], gradients[j])
        if overlap < 0:
            adjusted[i] -= overlap / gradients[j].square().sum().clamp_min(1e-12) * gradients[j]
    return torch.stack(adjusted).sum(0)


class ConflictAwareStep:
    def __init__(self, model: SharedModel, optimizer: torch.optim.Optimizer) -> None:
        self.model = model
        self.optimizer = optimizer
        self.cosines: deque[Tensor] = deque(maxlen=200)

    def __call__(self, losses: dict[str, Tensor]) -> None:
        shared = list(self.model.trunk.parameters())
        flat: list[Tensor] = []
        self.optimizer.zero_grad()
        remaining = len(losses)
        for task, loss in losses.items():
            remaining -= 1
            own = list(self.model.heads[task].parameters())
            grads = torch.autograd.grad(loss, shared + own, retain_graph=remaining > 0)
            flat.append(parameters_to_vector(grads[: len(shared)]))
            for p, g in zip(own, grads[len(shared) :]):
                p.grad = g
        for p in shared:
            p.grad = torch.empty_like(p)
        vector_to_parameters(project(flat), [p.grad for p in shared])
        self.cosines.append(torch.cosine_similarity(flat[0], flat[1], dim=0))
        self.optimizer.step()


def batch(cfg: Config) -> tuple[Tensor, dict[str, Tensor]]:
    bases = torch.randint(0, 4, (cfg.batch, cfg.length))
    x = nn.functional.one_hot(bases, 4).transpose(1, 2).float()
    gt = ((bases[:, :-1] == 2) & (bases[:, 1:] == 3)).float().sum(1)
    ag = ((bases[:, :-1] == 0) & (bases[:, 1:] == 2)).float().sum(1)
    return x, {"donor": (gt > 3).float(), "acceptor": (ag > 3).float(), "exon": (gt > ag).float()}


def main() -> None:
    torch.manual_seed(6)
    cfg = Config()
    model = SharedModel(cfg.tasks)
    stepper = ConflictAwareStep(model, torch.optim.Adam(model.parameters(), lr=cfg.lr))
    for step in range(cfg.steps):
        losses = model.losses(*batch(cfg))
        stepper(losses)
        if step % 18 == 0:
            report = " ".join(f"{k}={v.item():.3f}" for k, v in losses.items())
            print(f"{step}: {report} cos={stepper.cosines[-1].item():.2f}")


if __name__ == "__main__":
    main()
