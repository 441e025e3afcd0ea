"""What the overhead benchmark compares: each a context manager under which a job trains."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import torch

import gradwatch_agent

Monitor = Callable[[], AbstractContextManager[object]]


@contextlib.contextmanager
def bare() -> Iterator[None]:
    """Nothing at all; twice in a run it tells the noise."""
    yield


@contextlib.contextmanager
def gradwatch() -> Iterator[None]:
    """The agent as the one line starts it, with nobody attached."""
    with gradwatch_agent.watch(name="bench"):
        yield


@contextlib.contextmanager
def anomaly() -> Iterator[None]:
    """torch's anomaly mode, which people switch on to find the line."""
    with torch.autograd.set_detect_anomaly(True):
        yield


@contextlib.contextmanager
def profiler() -> Iterator[None]:
    """torch.profiler on the processor, as its documentation has it, results dropped."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
        yield


@contextlib.contextmanager
def saved_tensor_hooks() -> Iterator[None]:
    """Counting saved tensors with torch's own hooks for that."""
    count = 0

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        nonlocal count
        count += 1
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        yield


@contextlib.contextmanager
def memray() -> Iterator[None]:
    """memray's tracker, writing to a file."""
    import memray  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder, memray.Tracker(Path(folder) / "out.bin"):
        yield


MONITORS: dict[str, Monitor] = {
    "bare again": bare,
    "gradwatch": gradwatch,
    "anomaly mode": anomaly,
    "torch.profiler": profiler,
    "saved-tensor hooks": saved_tensor_hooks,
    "memray": memray,
}
