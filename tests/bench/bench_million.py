"""What diagnosing costs in a process of a million Python objects, where searches by names are dear.

Run by hand: python tests/bench/bench_million.py. Each job runs in a fresh process, bare and under
the agent; what the agent adds to the slowest iteration is its longest halt, and what it adds to
all that take over 50 ms is what searches and diagnoses took of the run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ITERATIONS = 1500
DEAR_S = 0.05
AGENT = "import gradwatch_agent.auto"

JOB = """
import json, time
import torch
{line}
torch.set_num_threads(1)
objects = [{{"each": [n]}} for n in range(500_000)]  # a dict and a list: a million
model = torch.nn.Linear(4, 3)
deep = torch.nn.Sequential(model, torch.nn.Tanh(), torch.nn.Linear(3, 2))
optimizer = torch.optim.SGD(deep.parameters(), 0.01)
kept, state = [], torch.zeros(1)

def train():
    global state
    x = {net}(torch.randn(8, 4)).pow(2).mean(0)
    state = 0.9 * {state} + x
    loss = state.sum()
    optimizer.zero_grad()
    loss.backward(retain_graph={chain})
    optimizer.step()
    {keep}

took = []
for _ in range({iterations}):
    began = time.perf_counter()
    train()
    took.append(time.perf_counter() - began)
    time.sleep(0.005)
print(json.dumps(took))
"""

JOBS = {
    "healthy": {
        "chain": False,
        "state": "state.detach()",
        "net": "deep",
        "keep": "pass",
        "iterations": ITERATIONS,
    },
    "losses kept": {
        "chain": False,
        "state": "state.detach()",
        "net": "deep",
        "keep": "kept.append(loss)",
        "iterations": ITERATIONS,
    },
    "graphs kept that nothing reaches": {
        "chain": False,
        "state": "state.detach()",
        "net": "deep",
        "keep": "kept.append(deep(torch.ones(8, 4)))",
        "iterations": ITERATIONS,
    },
    "a chain": {
        "chain": True,
        "state": "state",
        "net": "model",
        "keep": "pass",
        "iterations": ITERATIONS // 5,
    },
}


def run(line: str, job: dict[str, object], folder: Path) -> tuple[float, float, str]:
    """Seconds of the slowest iteration, and of all that are dear; what was found."""
    script, log = folder / "job.py", folder / "log.jsonl"
    script.write_text(JOB.format(line=line, **job))
    log.unlink(missing_ok=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GRADWATCH_")}
    out = subprocess.run(
        [sys.executable, script],
        env=kept | {"GRADWATCH_LOG": str(log)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    took: list[float] = json.loads(out.splitlines()[-1])
    found = [json.loads(each) for each in log.read_text().splitlines()] if log.exists() else []
    told = {f"{each['kind']} at {each['code']}" for each in found if each.get("code")}
    return max(took), sum(each for each in took if each > DEAR_S), ", ".join(sorted(told))


def main() -> None:
    """Prints a row for each job."""
    print(f"{'job':34} {'slowest, bare':>14} {'agent':>7} {'all dear, bare':>15} {'agent':>7}")
    with tempfile.TemporaryDirectory() as place:
        for name, job in JOBS.items():
            slowest, dear, _ = run("", job, Path(place))
            slowest_watched, dear_watched, found = run(AGENT, job, Path(place))
            print(
                f"{name:34} {slowest:12.2f} s {slowest_watched:5.2f} s {dear:13.2f} s"
                f" {dear_watched:5.2f} s  {found or 'nothing found'}"
            )


if __name__ == "__main__":
    main()
