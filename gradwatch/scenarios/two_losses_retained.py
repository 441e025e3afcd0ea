"""Two tasks on one model: two forwards, two losses, two backwards, one step.

From seeds/001, example 2: "The retain_graph=True in the first backward() call is essential."
It is not. Each forward built a graph of its own, and no backward walks the other's.

When run: no error, the right gradients, and nothing grows. The retained graph is never
walked again: all it does is to hold its buffers while the second backward needs memory too.
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
model = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
criterion = nn.MSELoss()

for step in islice(count(), iterations or None):
    # Input data
    x = torch.randn(512, 128, device=device)
    y1 = x[:, :8].mean(1, keepdim=True)
    y2 = x[:, 8:16].mean(1, keepdim=True)

    # Forward pass
    output1 = model(x)
    output2 = model(x)  # different task on same input

    # Loss calculation
    loss1 = criterion(output1, y1)
    loss2 = criterion(output2, y2)

    # Backward pass for loss1 (retain graph)
    loss1.backward(retain_graph=True)

    # Backward pass for loss2
    loss2.backward()

    # Optimizer step and gradient clearing
    optimizer.step()
    optimizer.zero_grad()
    if step % 100 == 0:
        print(f"step {step}: losses {loss1.item():.4f} {loss2.item():.4f}", flush=True)
