# gradwatch-corpus: kind=none
# about: retain_graph=True on every backward but the last of a step, needed because three tasks share the trunk (projected gradients)
"""Parcel photos: size class, fragility and address-label legibility from one trunk, with conflicting gradients projected away."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Task:
    name: str
    outputs: int
    criterion: Callable[[Tensor, Tensor], Tensor]


TASKS = (
    Task("size", 4, F.cross_entropy),
    Task("fragile", 1, lambda p, t: F.binary_cross_entropy_with_logits(p.squeeze(-1), t)),
    Task("legible", 1, lambda p, t: F.mse_loss(p.squeeze(-1), t)),
)


class ParcelNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(16 * 25, 48), nn.ReLU()
        )
        self.heads = nn.ModuleDict({t.name: nn.Linear(48, t.outputs) for t in TASKS})

    def forward(self, photo: Tensor) -> dict[str, Tensor]:
        z = self.trunk(photo)
        return {name: head(z) for name, head in self.heads.items()}


class Projector:
    """One backward per task; a gradient that points against another one loses that component."""

    def __init__(self, shared: list[nn.Parameter], opt: torch.optim.Optimizer) -> None:
        self.shared = shared
        self.opt = opt
        self.conflicts = 0

    def _flat(self) -> Tensor:
        return torch.cat([p.grad.flatten() for p in self.shared])

    def step(self, losses: list[Tensor]) -> None:
        self.opt.zero_grad()
        grads: list[Tensor] = []
        for i, loss in enumerate(losses):
            for p in self.shared:
                p.grad = None
            loss.backward(retain_graph=i + 1 < len(losses))
            grads.append(self._flat().clone())
        final = torch.zeros_like(grads[0])
        for i, g in enumerate(grads):
            g = g.clone()
            for other in random.sample([h for j, h in enumerate(grads) if j != i], len(grads) - 1):
                dot = g @ other
                if dot < 0:
                    g = g - dot / other.pow(2).sum() * other
                    self.conflicts += 1
            final += g
        offset = 0
        for p in self.shared:
            p.grad = final[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()
        self.opt.step()


def photos(n: int) -> Iterator[tuple[Tensor, dict[str, Tensor]]]:
    while True:
        size = torch.randint(4, (n,))
        img = 0.3 * torch.randn(n, 1, 20, 20)
        for k in range(n):
            img[k, :, 2:6 + 4 * int(size[k]), 2:6 + 4 * int(size[k])] += 1.0
        contrast = torch.rand(n)
        img[:, :, -3:] *= contrast[:, None, None, None]
        yield img, {"size": size, "fragile": (img.mean((1, 2, 3)) < 0.3).float(), "legible": contrast}


def main(steps: int = 300) -> None:
    torch.manual_seed(36)
    random.seed(36)
    net = ParcelNet()
    projector = Projector(list(net.trunk.parameters()), torch.optim.Adam(net.parameters(), lr=1e-3))
    for n, (img, truth) in zip(range(steps), photos(32)):
        out = net(img)
        parts = {t.name: t.criterion(out[t.name], truth[t.name]) for t in TASKS}
        projector.step(list(parts.values()))
        if n % 60 == 0:
            print(n, {k: round(v.item(), 4) for k, v in parts.items()}, "conflicts", projector.conflicts)


if __name__ == "__main__":
    main()
