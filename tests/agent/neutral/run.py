"""Runs many small jobs, and prints a digest of every number that each of them computes.

    python run.py [JOB...]

Run once with the agent and once with GRADWATCH_OFF=1, the output must be the same; on another
device with TEST_DEVICE=cuda. A job is a generator; whatever it yields (tensors, texts, numbers)
goes into its digest, in order, together with the states of the random generators at its end.
"""

from __future__ import annotations

import hashlib
import os
import random
import sys
import warnings

import graphs  # noqa: F401  - they announce their jobs, in this order
import oddities  # noqa: F401
import torch
import trainings  # noqa: F401
from jobs import JOBS, Job

import gradwatch_agent


def digest(run: Job) -> str:
    found = hashlib.sha256()

    def take(value: object) -> None:
        if isinstance(value, torch.Tensor):
            value = value.detach().as_subclass(torch.Tensor).contiguous().cpu().numpy().tobytes()
        found.update(value if isinstance(value, bytes) else repr(value).encode())

    with warnings.catch_warnings(record=True) as caught, gradwatch_agent.watch():
        warnings.simplefilter("always")
        for value in run():
            take(value)
    take(torch.get_rng_state())
    take(torch.cuda.get_rng_state() if torch.cuda.is_available() else None)
    take(random.getstate())
    take(sorted(f"{warning.category.__name__} {warning.message}" for warning in caught))
    take((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))
    take((torch.is_grad_enabled(), torch.get_num_threads()))
    return found.hexdigest()[:16]


def main() -> None:
    wanted = sys.argv[1:]
    if device := os.environ.get("TEST_DEVICE"):
        torch.set_default_device(device)
        torch.use_deterministic_algorithms(True, warn_only=True)
    for run in JOBS:
        if not wanted or run.__name__ in wanted:
            torch.manual_seed(0)
            random.seed(0)
            print(run.__name__, digest(run), flush=True)


if __name__ == "__main__":
    main()
