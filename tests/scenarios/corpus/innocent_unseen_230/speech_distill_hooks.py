# gradwatch-corpus: kind=none
"""Feature distillation between two keyword spotters, with taps on intermediate layers."""
from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class DistillConfig:
    mels: int = 20
    frames: int = 48
    batch: int = 24
    classes: int = 5
    steps: int = 90
    feature_weight: float = 0.5
    temperature: float = 2.0


def spotter(cfg: DistillConfig, width: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv1d(cfg.mels, width, 5, stride=2),
        nn.ReLU(),
        nn.Conv1d(width, width, 3),
        nn.ReLU(),
        nn.AdaptiveAvgPool1d(1),
        nn.Flatten(),
        nn.Linear(width, cfg.classes),
    )


class Taps(dict):
    """name -> activation, in the order in which layers fired."""

    def hook(self, name: str):
        def fn(module: nn.Module, args: tuple, output: Tensor) -> None:
            self[name] = output

        return fn


@contextmanager
def tapped(model: nn.Sequential, layers: dict[str, int], taps: Taps) -> Iterator[Taps]:
    handles = [model[i].register_forward_hook(taps.hook(name)) for name, i in layers.items()]
    try:
        yield taps
    finally:
        for handle in handles:
            handle.remove()


class Distiller:
    layers = {"early": 1, "late": 3}

    def __init__(self, cfg: DistillConfig) -> None:
        self.cfg = cfg
        self.teacher = spotter(cfg, 64).eval().requires_grad_(False)
        self.student = spotter(cfg, 24)
        self.adapters = nn.ModuleDict({k: nn.Conv1d(24, 64, 1) for k in self.layers})
        self.teacher_taps = Taps()
        self.student_taps = Taps()
        trainable = [*self.student.parameters(), *self.adapters.parameters()]
        self.optimizer = torch.optim.Adam(trainable, lr=2e-3)

    def compute(self, mel: Tensor, label: Tensor) -> Tensor:
        with ExitStack() as stack:
            stack.enter_context(tapped(self.teacher, self.layers, self.teacher_taps))
            stack.enter_context(tapped(self.student, self.layers, self.student_taps))
            guide = self.teacher(mel)
            logits = self.student(mel)
        t = self.cfg.temperature
        soft = F.kl_div((logits / t).log_softmax(-1), (guide / t).softmax(-1), reduction="batchmean")
        loss = F.cross_entropy(logits, label) + t * t * soft
        for name, adapter in self.adapters.items():
            gap = F.mse_loss(adapter(self.student_taps[name]), self.teacher_taps[name])
            loss = loss + self.cfg.feature_weight * gap
        return loss

    def step(self, mel: Tensor, label: Tensor) -> float:
        loss = self.compute(mel, label)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.item()


def utterances(cfg: DistillConfig) -> Iterator[tuple[Tensor, Tensor]]:
    prototypes = torch.randn(cfg.classes, cfg.mels, 1)
    for _ in range(cfg.steps):
        label = torch.randint(0, cfg.classes, (cfg.batch,))
        yield prototypes[label] + 0.7 * torch.randn(cfg.batch, cfg.mels, cfg.frames), label


def main() -> None:
    torch.manual_seed(52)
    cfg = DistillConfig()
    distiller = Distiller(cfg)
    losses = [distiller.step(mel, label) for mel, label in utterances(cfg)]
    for i in range(0, len(losses), 15):
        print(f"{i:3d} {losses[i]:.4f}")


if __name__ == "__main__":
    main()
