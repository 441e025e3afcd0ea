"""Two optimizer's steps from one backward: gradients cloned, detached and used again.

From seeds/001, example 3: "Detachment severs the link between the gradients and the
computational graph." (They had none: .grad carries a graph only under create_graph=True.)

When run: healthy. No second backward, nothing retained.
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

# Model definition
model = nn.Linear(256, 64).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
criterion = nn.MSELoss()

for step in islice(count(), iterations or None):
    # Input data
    x = torch.randn(512, 256, device=device)
    y = x[:, :64].roll(1, 0)

    # Forward pass
    output = model(x)
    loss = criterion(output, y)

    # First backward pass (compute and detach gradients)
    loss.backward()
    gradients = [p.grad.clone().detach() for p in model.parameters()]
    optimizer.step()
    optimizer.zero_grad()

    # Second step, using the detached gradients
    for p, gradient in zip(model.parameters(), gradients, strict=True):
        p.grad = gradient
    optimizer.step()
    optimizer.zero_grad()
    if step % 100 == 0:
        print(f"step {step}: loss {loss.item():.4f}", flush=True)
