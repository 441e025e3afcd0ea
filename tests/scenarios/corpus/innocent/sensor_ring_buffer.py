# gradwatch-corpus: kind=none
# about: a ring of a hundred megabytes is set aside at the start and written little by little: the
# about: process grows as its pages are first touched, and no container does
import numpy as np
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS

ROWS, WIDTH = 50_000, 512


def main():
    torch.manual_seed(0)
    ring, at = np.zeros((ROWS, WIDTH), dtype=np.float32), 0
    noise = np.random.default_rng(0)
    stream = batches(*classes(), size=32)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(ITERATIONS):
        ring[at : at + 250] = noise.random((250, WIDTH), dtype=np.float32)
        at = (at + 250) % ROWS
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f} {ring[:at].mean():.3f}")


if __name__ == "__main__":
    main()
