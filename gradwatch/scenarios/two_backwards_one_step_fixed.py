"""Two optimizer's steps on one batch, each with a forward of its own.

From seeds/001, example 1: the cure of two-backwards-one-step. A gradient after the step has
to be computed from the weights after the step, so the forward is run again.

When run: healthy with any number of layers; no graph is kept, none is walked twice.
"""

import argparse
from itertools import count, islice

import torch
from torch import nn

import gradwatch_agent.auto  # noqa: F401  - the one line

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
iterations = parser.parse_args().iterations

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# Model definition (simplified example)
model = nn.Sequential(nn.Linear(256, 128), nn.Linear(128, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
criterion = nn.MSELoss()

for step in islice(count(), iterations or None):
    # Input data
    x = torch.randn(512, 256, device=device)
    y = x[:, :8].mean(1, keepdim=True)

    # First step
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()

    # Second step
    loss = criterion(model(x), y)  # the fix: a forward through the weights as they are now
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 100 == 0:
        print(f"step {step}: loss {loss.item():.4f}", flush=True)
