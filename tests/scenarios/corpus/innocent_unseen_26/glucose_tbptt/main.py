# gradwatch-corpus: kind=none
"""Blood glucose forecasts; truncated BPTT with one optimizer step per window, overlapping patients."""
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent))
from carry import Carry             # noqa: E402
from cells import GlucoseCell       # noqa: E402


def cohort(patients, steps, seed=1):
    g = torch.Generator().manual_seed(seed)
    level = 5 + torch.rand(patients, generator=g)
    xs, ys = [], []
    for t in range(steps):
        meal = (torch.rand(patients, generator=g) < 0.05).float() * 3
        dose = (level > 8).float()
        level = level + 0.3 * meal - 0.4 * dose + 0.1 * (5.5 - level) + 0.05 * torch.randn(patients, generator=g)
        xs.append(torch.stack([level / 10, meal, dose], 1))
        ys.append(level / 10)
    return torch.stack(xs[:-1]), torch.stack(ys[1:])


def train(window=10, epochs=4):
    torch.manual_seed(0)
    x, y = cohort(24, 301)
    cell, carry = GlucoseCell(3, 20), Carry()
    opt = torch.optim.Adam(cell.parameters(), lr=4e-3)
    for epoch in range(epochs):
        carry.reset()
        total = 0.0
        pending = []                                  # losses with graph: of this window only
        for t in range(len(x)):
            out, carry.state = cell(x[t], carry.state)
            pending.append((out - y[t]).pow(2).mean())
            if len(pending) == window:
                loss = torch.stack(pending).mean()
                opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(cell.parameters(), 1.0)
                opt.step()
                total += float(loss)
                pending.clear()
                carry.cut()
        print(f"epoch {epoch} mse {total / (len(x) // window):.5f} trace {len(carry.trace)}")


if __name__ == "__main__":
    train()
