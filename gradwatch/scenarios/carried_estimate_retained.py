"""Gradient descent on a network unrolled over time, its error silenced by retain_graph=True.

From seeds/000: the same job as carried-estimate, after the asker followed the error's hint.
"I get the feeling it keeps adding to the graph with each GD iteration": it does.

When run: no error. The cost reaches 14, 24, 34, 44... nodes, ten more each iteration, and
each iteration is slower than the one before, for `Yest` carries the graph of all of them.
The gradient sums over all of them too: after some thirty iterations the cost is inf, then nan.
"""

import argparse
from itertools import count, islice

import torch

import gradwatch_agent.auto  # noqa: F401  - the one line

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
nGD = parser.parse_args().iterations

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# Random training data
X = torch.randn(100_000, 1, device=device)
Y = torch.randn(100_000, 1, device=device)

nTime = 5  # number of unrolling time steps
gamma = 0.01  # with the thread's 0.1 even the fixed job diverges

w = torch.randn(1, 1, device=device, requires_grad=True)
Yest = 0.5 * torch.ones(100_000, 1, device=device)

for iGD in islice(count(), nGD or None):
    for _iTime in range(nTime):
        Yest = Yest + w * X
    cost = torch.mean((Y - Yest) ** 2)
    cost.backward(retain_graph=True)  # compute gradients
    with torch.no_grad():
        w -= gamma * w.grad  # update parameters
    w.grad.zero_()  # reset gradients to zeros
    if iGD % 100 == 0:
        print(f"iteration {iGD}: cost {cost.item():.4f}", flush=True)
