"""A training loop without zero_grad().

From seeds/002, strategy c: a missing zero_grad() is "arguably the most common cause of the
error" of a second backward.

When run: it causes no such error, and raises nothing. Each iteration builds its own graph.
But gradients add up: every step takes the sum of all the iterations before it.
"""

import argparse
from itertools import count, islice

import torch
from torch import optim

import gradwatch_agent.auto  # noqa: F401  - the one line

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
iterations = parser.parse_args().iterations

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(1_000_000, device=device, requires_grad=True)
optimizer = optim.SGD([x], lr=0.01)

for i in islice(count(), iterations or None):
    y = x * 2
    z = y.mean()
    z.backward()
    optimizer.step()
    if i % 100 == 0:
        print(f"step {i}: gradient {x.grad.sum().item():.4f}", flush=True)
