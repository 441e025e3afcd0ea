"""Gradient descent on a network unrolled over time, as the thread's answer writes it.

From seeds/000: the buffer `Yest` is allocated once, and each iteration unrolls a local name
that starts from it, so the buffer itself never gets a history.

When run: 14 nodes for ever; every iteration's graph is gone when the next one begins.
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
    Yest_local = Yest  # the fix: the buffer keeps no history
    for _iTime in range(nTime):
        Yest_local = Yest_local + w * X
    cost = torch.mean((Y - Yest_local) ** 2)
    cost.backward()  # compute gradients
    with torch.no_grad():
        w -= gamma * w.grad  # update parameters
    w.grad.zero_()  # reset gradients to zeros
    if iGD % 100 == 0:
        print(f"iteration {iGD}: cost {cost.item():.4f}", flush=True)
