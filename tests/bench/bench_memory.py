"""What the agent makes of a job's memory, beyond its own. Run by hand:

    python tests/bench/bench_memory.py [--iterations 450]

Each job runs bare, with the one line, and under `check`, in a process of its own; printed is its
resident memory after a third and at its end, and once the allocator has given back what is free.
What differs between the last two columns is what lies free between things that live on: a graph
that a fault keeps is full of small ones, and each that the agent adds can make what a tensor left
too small for the next. Not a test: the layout of a heap differs from run to run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_REST = """
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

import ctypes
torch.set_num_threads(1)
torch.manual_seed(0)
for i in range({iterations}):
    step(i)
    if i == {iterations} // 3:
        third = resident()
end = resident()
ctypes.CDLL(None).malloc_trim(0)
print(f"{{third:.0f}} {{end:.0f}} {{resident():.0f}}")
"""

_MODEL = """
import torch
model = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 1))
optimizer = torch.optim.Adam(model.parameters())
kept = []

def loss():
    inputs = torch.randn(512, 64)
    return (model(inputs) - inputs.sum(1, keepdim=True)).pow(2).mean()

def step(_):
    error = loss()
    optimizer.zero_grad()
    error.backward()
    optimizer.step()
"""

_JOBS = {
    "healthy": _MODEL,
    "losses are kept": _MODEL + "    kept.append(error)\n",
    "a chain": """
import torch
w = torch.randn(1, 1, requires_grad=True)
inputs, targets = torch.randn(100_000, 1), torch.randn(100_000, 1)
estimate = 0.5 * torch.ones(100_000, 1)

def step(_):
    global estimate
    for _ in range(5):
        estimate = estimate + w * inputs
    (targets - estimate).pow(2).mean().backward(retain_graph=True)
    w.grad.zero_()
""",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=450)
    iterations = parser.parse_args().iterations
    print("resident memory in MB: after a third, at the end, with what is free given back")
    for name, job in _JOBS.items():
        text = job + _REST.format(iterations=iterations)
        line = "import gradwatch_agent.auto\n"
        print(f"{name}: bare {_ran('-c', text)}; watched {_ran('-c', line + text)}; ", end="")
        print(f"checked {_checked(text, iterations)}", flush=True)


def _checked(text: str, iterations: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "train.py")
        script.write_text(text)
        return _ran("-m", "gradwatch", "check", "--iterations", str(2 * iterations), str(script))


def _ran(*command: str) -> str:
    """The first line it prints, its numbers apart."""
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env=environment, check=False
    )
    return ", ".join(done.stdout.splitlines()[0].split())


if __name__ == "__main__":
    main()
