# gradwatch-corpus: kind=none
# about: the last twenty losses are kept in a deque and the last fifteen in a list, graphs and all,
# about: for a moving average: wasteful, but never more than that
from collections import deque

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class Smoothed:
    def __init__(self, window=15):
        self.window, self.values = window, []

    def add(self, value):
        self.values.append(value)
        if len(self.values) > self.window:
            self.values.pop(0)
        return torch.stack(self.values).mean().item()


def main():
    torch.manual_seed(0)
    stream, smoothed, recent = batches(*classes(), size=32), Smoothed(), deque(maxlen=20)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(ITERATIONS):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent.append(loss)
        mean = smoothed.add(loss)
        if step % 50 == 0:
            print(f"{step}: {mean:.6f} worst {max(r.item() for r in recent):.6f}")


if __name__ == "__main__":
    main()
