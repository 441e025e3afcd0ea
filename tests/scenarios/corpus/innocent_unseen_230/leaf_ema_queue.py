# gradwatch-corpus: kind=none
"""Self-supervised leaf textures: momentum teacher, key queue, and a plug-in registry for losses."""
from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

LOSSES: dict[str, type["QueueLoss"]] = {}


@dataclass
class SSLConfig:
    size: int = 20
    batch: int = 24
    dim: int = 32
    queue: int = 192
    steps: int = 90
    momentum: float = 0.98
    loss: str = "infonce"


class QueueLoss(nn.Module):
    queue: Tensor

    def __init_subclass__(cls, key: str, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        LOSSES[key] = cls

    def __init__(self, dim: int, size: int) -> None:
        super().__init__()
        self.register_buffer("queue", F.normalize(torch.randn(size, dim), dim=-1))
        self.head = 0

    @torch.no_grad()
    def enqueue(self, keys: Tensor) -> None:
        n = len(keys)
        rows = torch.arange(self.head, self.head + n) % len(self.queue)
        self.queue[rows] = keys
        self.head = (self.head + n) % len(self.queue)


class InfoNCE(QueueLoss, key="infonce"):
    def forward(self, query: Tensor, keys: Tensor) -> Tensor:
        positive = (query * keys).sum(-1, keepdim=True)
        negative = query @ self.queue.clone().t()
        logits = torch.cat([positive, negative], dim=1) / 0.1
        return F.cross_entropy(logits, torch.zeros(len(query), dtype=torch.long))


class TextureNet(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2),
            nn.ReLU(),
            nn.Flatten(),
            nn.LazyLinear(dim),
        )

    def forward(self, image: Tensor) -> Tensor:
        return F.normalize(self.body(image), dim=-1)


class MomentumTeacher:
    def __init__(self, student: nn.Module, momentum: float) -> None:
        self.momentum = momentum
        self.net = copy.deepcopy(student)
        self.net.requires_grad_(False)

    @torch.no_grad()
    def follow(self, student: nn.Module) -> None:
        for mine, theirs in zip(self.net.parameters(), student.parameters()):
            mine.mul_(self.momentum).add_(theirs, alpha=1 - self.momentum)

    @torch.no_grad()
    def __call__(self, image: Tensor) -> Tensor:
        return self.net(image)


def view(image: Tensor) -> Tensor:
    flipped = image.flip(-1) if torch.rand(()) < 0.5 else image
    return flipped + 0.1 * torch.randn_like(flipped)


def textures(cfg: SSLConfig) -> Iterator[Tensor]:
    grid = torch.arange(cfg.size).float()
    for _ in range(cfg.steps):
        freq = torch.rand(cfg.batch, 1, 1, 1) + 0.2
        angle = 3.14 * torch.rand(cfg.batch, 1, 1, 1)
        phase = grid[:, None] * angle.cos() + grid[None, :] * angle.sin()
        yield torch.sin(freq * phase)


def fit(cfg: SSLConfig, report: Callable[[int, float, float], None]) -> None:
    student = TextureNet(cfg.dim)
    student(torch.zeros(1, 1, cfg.size, cfg.size))
    teacher = MomentumTeacher(student, cfg.momentum)
    criterion = LOSSES[cfg.loss](cfg.dim, cfg.queue)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    average: Tensor | None = None
    for step, image in enumerate(textures(cfg)):
        query = student(view(image))
        keys = teacher(view(image))
        loss = criterion(query, keys)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        teacher.follow(student)
        criterion.enqueue(keys)
        current = loss.detach()
        average = current if average is None else torch.lerp(average, current, 0.1)
        if step % 18 == 0:
            report(step, current.item(), average.item())


if __name__ == "__main__":
    torch.manual_seed(19)
    fit(SSLConfig(), lambda s, now, avg: print(f"{s:3d} now {now:.4f} avg {avg:.4f}"))
