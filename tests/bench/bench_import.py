"""What `import gradwatch_agent.auto` adds to a process that trains: time and resident memory.

Run by hand: python tests/bench/bench_import.py. Each figure is the median of fresh processes,
interleaved; torch's own import is the ground line.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys

ROUNDS = 9

PROBE = """
import json, resource, time
began = time.perf_counter()
import torch
middle = time.perf_counter()
{line}
ended = time.perf_counter()
import psutil
print(json.dumps([middle - began, ended - middle, psutil.Process().memory_info().rss]))
"""


def measure(line: str) -> list[float]:
    """Seconds of torch's import, seconds of the line, resident bytes after both."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRADWATCH_")}
    out = subprocess.run(
        [sys.executable, "-c", PROBE.format(line=line)],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    numbers: list[float] = json.loads(out.stdout)
    return numbers


def main() -> None:
    """Prints the table."""
    bare, with_agent = [], []
    for _ in range(ROUNDS):
        bare.append(measure("pass"))
        with_agent.append(measure("import gradwatch_agent.auto"))
    torch_s = statistics.median(row[0] for row in bare + with_agent)
    line_s = statistics.median(row[1] for row in with_agent)
    more = statistics.median(row[2] for row in with_agent) - statistics.median(
        row[2] for row in bare
    )
    print(f"import torch                 {torch_s * 1e3:7.0f} ms")
    print(f"import gradwatch_agent.auto  {line_s * 1e3:7.0f} ms  {more / 1e6:+.1f} MB")


if __name__ == "__main__":
    main()
