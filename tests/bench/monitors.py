"""What the overhead benchmark compares: each a context manager that gives a step."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import torch
from workloads import Job, Step

import gradwatch_agent

Monitor = Callable[[Job], AbstractContextManager[Step]]


@contextlib.contextmanager
def bare(job: Job) -> Iterator[Step]:
    """Nothing at all; twice in a run it tells the noise."""
    yield job.step


@contextlib.contextmanager
def gradwatch(job: Job) -> Iterator[Step]:
    """The agent as the one line starts it, with nobody attached."""
    with gradwatch_agent.watch(name="bench"):
        yield job.step


@contextlib.contextmanager
def anomaly(job: Job) -> Iterator[Step]:
    """torch's anomaly mode, which people switch on to find the line."""
    with torch.autograd.set_detect_anomaly(True):
        yield job.step


@contextlib.contextmanager
def profiler(job: Job) -> Iterator[Step]:
    """torch.profiler on the processor, as its documentation has it, results dropped."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
        yield job.step


@contextlib.contextmanager
def saved_tensor_hooks(job: Job) -> Iterator[Step]:
    """Counting saved tensors with torch's own hooks for that."""
    count = 0

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        nonlocal count
        count += 1
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        yield job.step


@contextlib.contextmanager
def memray(job: Job) -> Iterator[Step]:
    """memray's tracker, writing to a file."""
    import memray  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder, memray.Tracker(Path(folder) / "out.bin"):
        yield job.step


@contextlib.contextmanager
def wandb_watch(job: Job) -> Iterator[Step]:
    """Gradients' histograms as often as wandb.watch has it by default; nothing is sent."""
    import wandb  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder:
        run = wandb.init(mode="offline", dir=folder, settings=wandb.Settings(silent=True))
        run.watch(job.model, log="gradients")
        yield job.step
        run.unwatch(job.model)
        run.finish()


@contextlib.contextmanager
def traceml(job: Job) -> Iterator[Step]:
    """TraceML as its guide has it, in a process started by `traceml run`.

    What it patches stays patched; outside of its steps that passes through.
    """
    import traceml_ai  # type: ignore[import-not-found]

    traceml_ai.init(mode="auto")

    def step() -> None:
        with traceml_ai.trace_step(job.model):
            job.step()

    yield step


MONITORS: dict[str, Monitor] = {
    "bare again": bare,
    "gradwatch": gradwatch,
    "anomaly mode": anomaly,
    "torch.profiler": profiler,
    "saved-tensor hooks": saved_tensor_hooks,
    "memray": memray,
    "wandb.watch": wandb_watch,
    "TraceML": traceml,
}
