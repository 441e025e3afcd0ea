"""One forward and three backwards, the first of them with retain_graph=True.

From seeds/002, strategy a: "To correctly accumulate gradients without retain_graph, use:
x.grad.zero_(); z.backward()".

When run: that third backward raises "Trying to backward through the graph a second time".
The second call, without retain_graph, freed the graph; zeroing a gradient brings nothing back.
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

    z.backward(retain_graph=True)  # first backward pass
    z.backward()  # second backward pass would fail without retain_graph=True
    if step % 100 == 0:
        print(f"step {step}: gradient {x.grad.sum().item():.4f}", flush=True)

    # To correctly accumulate gradients without retain_graph, use:
    x.grad.zero_()
    z.backward()
    x.grad.zero_()
