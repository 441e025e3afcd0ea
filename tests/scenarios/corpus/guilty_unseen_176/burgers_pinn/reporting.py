from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Callable

import torch


class DeferredWriter:
    """Queues text writes so that disk work happens once, when the run is over."""

    def __init__(self, path: Path):
        self.path = path
        self.jobs: list[Callable[[], str]] = []

    @staticmethod
    def _format(step: int, tag: str, value: torch.Tensor) -> str:
        return f"{step}\t{tag}\t{float(value):.6e}"

    def scalar(self, step: int, tag: str, value: torch.Tensor) -> None:
        self.jobs.append(partial(self._format, step, tag, value))  # <- culprit

    def __enter__(self) -> "DeferredWriter":
        return self

    def __exit__(self, *exc) -> None:
        self.path.write_text("\n".join(job() for job in self.jobs))
        self.jobs.clear()
