"""One forward and three backwards, all but the last with retain_graph=True.

From seeds/002, strategy a, cured by the rule of seeds/000: "All but the last call to backward
should have the retain_graph=True option."

When run: healthy. The graph is walked three times, and freed by the third.
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
    z.backward(retain_graph=True)  # second backward pass; the fix: there is a third
    if step % 100 == 0:
        print(f"step {step}: gradient {x.grad.sum().item():.4f}", flush=True)

    x.grad.zero_()
    z.backward()  # third backward pass, the last
    x.grad.zero_()
