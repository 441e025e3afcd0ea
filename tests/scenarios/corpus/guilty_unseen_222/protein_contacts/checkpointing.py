from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn


@dataclass(order=True)
class Entry:
    score: Any
    step: int
    extra: dict[str, float] = field(default_factory=dict, compare=False)


class CheckpointManager:
    def __init__(self, root: Path, keep: int, every: int = 10) -> None:
        self.root = root
        self.keep = keep
        self.every = every
        self.index: list[Entry] = []
        self.files: list[Path] = []

    def offer(self, step: int, model: nn.Module, score: Any, **extra: float) -> None:
        bisect.insort(self.index, Entry(score, step, extra))  # <- culprit
        if step % self.every == 0 and self.index[0].step == step:
            self._write(step, model)

    def _write(self, step: int, model: nn.Module) -> None:
        path = self.root / f"ckpt_{step:06d}.pt"
        torch.save(model.state_dict(), path)
        self.files.append(path)
        while len(self.files) > self.keep:
            self.files.pop(0).unlink()

    def table(self, n: int) -> list[str]:
        return [f"step {e.step:4d} loss {float(e.score):.4f} P@L {e.extra['precision']:.2f}" for e in self.index[:n]]
