"""A detached branch beside the graph, and a backward on the graph only.

From seeds/002, strategy b, its second half: the branch is a value to look at, and gradients
are zeroed before the graph, built anew, is walked.

When run: healthy. The branch builds no nodes at all.
"""

import argparse
from itertools import count, islice

import torch

import gradwatch_agent.auto  # noqa: F401  - the one line

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
iterations = parser.parse_args().iterations

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(1_000_000, device=device, requires_grad=True)

for step in islice(count(), iterations or None):
    x_detached = x.detach()  # detached copy of 'x'
    w = x_detached * 3
    y = x * 2
    z = y.mean()

    x.grad = None  # important to clear the gradients
    z.backward()  # the fix: the backward is that of the graph, not of the branch
    if step % 100 == 0:
        print(f"step {step}: mean of the branch {w.mean().item():.4f}", flush=True)
