"""A detached branch beside the graph, and a backward on it.

From seeds/002, strategy b: "Attempted backward pass on 'w' would not raise an error because
it is detached ... This won't cause an error, but also won't update x.grad."

When run: w.backward() raises "element 0 of tensors does not require grad and does not have a
grad_fn". A detached tensor has no graph to walk, and torch says so.
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
    y = x * 2
    z = y.mean()
    z.backward()
    if step % 100 == 0:
        print(f"step {step}: gradient {x.grad.sum().item():.4f}", flush=True)

    # Detaching the graph and performing another operation
    x_detached = x.detach()
    w = x_detached * 3
    w.backward()
    x.grad.zero_()
