# gradwatch-corpus: kind=none
# about: three threads train at once, each its own model: what one of them changes without Python's
# about: lock must not be looked at by the agent in another
import threading

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


def train(seed, results):
    g = torch.Generator().manual_seed(seed)
    model = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 4))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=g) / 6)
    stream = batches(*classes(seed=seed), size=32, seed=seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(ITERATIONS):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    results[seed] = loss.item()


if __name__ == "__main__":
    results = {}
    threads = [threading.Thread(target=train, args=(seed, results)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in sorted(results):
        print(f"{seed}: {results[seed]:.6f}")
