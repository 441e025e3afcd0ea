"""Gradient descent on a network unrolled over time, its estimate never reset.

From seeds/000: y(t) = y(t-1) + w*x(t), five time steps an iteration, and a `Yest` made once
before the loop so that no memory need be allocated again.

When run: the second cost.backward() raises "Trying to backward through the graph a second
time". `Yest` still carries the graph of the iteration before: 10 of the 24 nodes that the
second cost reaches are old, and the first backward freed what they had saved.
The asker fears that a fresh `Yest` each iteration is slow, as it allocates memory; but each
`Yest + w*X` allocates a new one anyway.
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
    cost.backward()  # compute gradients
    with torch.no_grad():
        w -= gamma * w.grad  # update parameters
    w.grad.zero_()  # reset gradients to zeros
    if iGD % 100 == 0:
        print(f"iteration {iGD}: cost {cost.item():.4f}", flush=True)
