# gradwatch-corpus: kind=none
"""Electroluminescence cell defects with few labels: student, averaged teacher, best-of checkpoints."""
from __future__ import annotations

import copy
import heapq
import math
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class DefectConfig:
    pixels: int = 20
    defects: int = 4
    labelled: int = 10
    unlabelled: int = 24
    steps: int = 110
    ramp: int = 40
    decay: float = 0.97
    consistency: float = 1.5
    validate_every: int = 10
    keep: int = 2
    lr: float = 3e-3


class CellNet(nn.Module):
    def __init__(self, defects: int) -> None:
        super().__init__()
        self.a = nn.Conv2d(1, 10, 3, padding=1)
        self.b = nn.Conv2d(10, 16, 3, padding=1)
        self.norm = nn.BatchNorm2d(16)
        self.head = nn.Linear(16 * 4, defects)

    def forward(self, x: Tensor) -> Tensor:
        x = F.max_pool2d(torch.relu(self.a(x)), 2)
        x = torch.relu(self.norm(self.b(x)))
        return self.head(F.adaptive_avg_pool2d(x, 2).flatten(1))


@dataclass(order=True)
class Snapshot:
    score: float
    step: int
    weights: dict = field(compare=False)


class Shelf:
    """Keeps the few best teachers in memory."""

    def __init__(self, keep: int) -> None:
        self.keep = keep
        self.heap: list[Snapshot] = []

    def offer(self, score: float, step: int, net: nn.Module) -> None:
        snap = Snapshot(score, step, copy.deepcopy(net.state_dict()))
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, snap)
        else:
            heapq.heappushpop(self.heap, snap)

    def best(self) -> Snapshot:
        return max(self.heap)


class PanelLine:
    def __init__(self, cfg: DefectConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.pattern = torch.randn(cfg.defects, 1, cfg.pixels, cfg.pixels, generator=self.gen)

    def take(self, n: int) -> tuple[Tensor, Tensor]:
        y = torch.randint(self.cfg.defects, (n,), generator=self.gen)
        noise = torch.randn(n, 1, self.cfg.pixels, self.cfg.pixels, generator=self.gen)
        return 0.5 * self.pattern[y] + noise, y


class MeanTeacher:
    def __init__(self, cfg: DefectConfig) -> None:
        self.cfg = cfg
        self.student = CellNet(cfg.defects)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.opt = torch.optim.Adam(self.student.parameters(), lr=cfg.lr)

    def ramp(self, step: int) -> float:
        phase = 1.0 - min(step / self.cfg.ramp, 1.0)
        return self.cfg.consistency * math.exp(-5.0 * phase * phase)

    def train_step(self, step: int, labelled: tuple[Tensor, Tensor], plain: Tensor) -> dict[str, float]:
        x, y = labelled
        logits = self.student(torch.cat([x, plain + 0.2 * torch.randn_like(plain)]))
        with torch.no_grad():
            opinion = self.teacher(plain + 0.2 * torch.randn_like(plain)).softmax(dim=1)
        supervised = F.cross_entropy(logits[: len(y)], y)
        agreement = F.mse_loss(logits[len(y):].softmax(dim=1), opinion)
        loss = supervised + self.ramp(step) * agreement
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.follow(step)
        return {"sup": supervised.item(), "con": agreement.item()}

    @torch.no_grad()
    def follow(self, step: int) -> None:
        rate = min(1 - 1 / (step + 2), self.cfg.decay)
        for slow, fast in zip(self.teacher.parameters(), self.student.parameters()):
            slow.mul_(rate).add_(fast, alpha=1 - rate)
        for slow, fast in zip(self.teacher.buffers(), self.student.buffers()):
            slow.copy_(fast)

    @torch.inference_mode()
    def validate(self, x: Tensor, y: Tensor) -> float:
        self.teacher.eval()
        hit = (self.teacher(x).argmax(dim=1) == y).float().mean().item()
        self.teacher.train()
        return hit


if __name__ == "__main__":
    torch.manual_seed(6)
    cfg = DefectConfig()
    line = PanelLine(cfg, seed=7)
    holdout = line.take(80)
    duo = MeanTeacher(cfg)
    shelf = Shelf(cfg.keep)
    for step in range(cfg.steps):
        scalars = duo.train_step(step, line.take(cfg.labelled), line.take(cfg.unlabelled)[0])
        if step % cfg.validate_every == 0:
            score = duo.validate(*holdout)
            shelf.offer(score, step, duo.teacher)
            print(f"step {step} {scalars} teacher {score:.3f}")
    print(f"best teacher {shelf.best().score:.3f} from step {shelf.best().step}")
