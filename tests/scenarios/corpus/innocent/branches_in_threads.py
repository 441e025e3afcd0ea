# gradwatch-corpus: kind=none
# about: the branches of one model run in a pool of threads, the backward in the main one: the
# about: graph's nodes are numbered by several threads, each from its own beginning
from concurrent.futures import ThreadPoolExecutor

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class ParallelBranches(nn.Module):
    def __init__(self, pool, n=3):
        super().__init__()
        self.pool = pool
        self.stem = nn.Linear(16, 24)
        self.branches = nn.ModuleList(
            nn.Sequential(nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 8)) for _ in range(n)
        )
        self.head = nn.Linear(8 * n, 4)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        parts = list(self.pool.map(lambda branch: branch(x), self.branches))
        return self.head(torch.cat(parts, dim=1))


if __name__ == "__main__":
    torch.manual_seed(0)
    stream = batches(*classes(), size=32)
    with ThreadPoolExecutor(3, thread_name_prefix="branch") as pool:
        model = ParallelBranches(pool)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
        for step in range(ITERATIONS):
            loss = 0.0
            for _ in range(2):
                x, y = next(stream)
                part = nn.functional.cross_entropy(model(x), y) / 2
                part.backward()
                loss += part.item()
            optimizer.step()
            optimizer.zero_grad()
            if step % 50 == 0:
                print(f"{step}: {loss:.6f}")
