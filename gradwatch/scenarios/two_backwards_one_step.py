"""One forward, two backwards, an optimizer's step between them.

From seeds/001, example 1: backward(retain_graph=True), step, backward again. "This will work
because retain_graph was True in the previous backward pass."

When run: it raises "one of the variables needed for gradient computation has been modified
by an inplace operation". The second backward needs the upper layer's weights as they were in
the forward, and the step has changed them in place. With --one-layer it passes, as in the
thread, since a single layer's backward needs no weights: the recipe does not generalise.
"""

import argparse
from itertools import count, islice

import torch
from torch import nn

import gradwatch_agent.auto  # noqa: F401  - the one line

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
parser.add_argument("--one-layer", action="store_true", help="the thread's own model")
args = parser.parse_args()

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

# Model definition (simplified example)
if args.one_layer:
    model = nn.Linear(256, 1).to(device)
else:
    model = nn.Sequential(nn.Linear(256, 128), nn.Linear(128, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
criterion = nn.MSELoss()

for step in islice(count(), args.iterations or None):
    # Input data
    x = torch.randn(512, 256, device=device)
    y = x[:, :8].mean(1, keepdim=True)

    # Forward pass
    output = model(x)
    loss = criterion(output, y)

    # Backward pass (retain graph for the subsequent one)
    loss.backward(retain_graph=True)
    optimizer.step()
    optimizer.zero_grad()

    # Second backward pass, through the same graph
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step % 100 == 0:
        print(f"step {step}: loss {loss.item():.4f}", flush=True)
