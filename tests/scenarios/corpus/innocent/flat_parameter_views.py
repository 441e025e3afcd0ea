# gradwatch-corpus: kind=none
# about: all weights live in one flat parameter; the layers' weights are views of it made once at
# about: the start, with a graph that reaches back to it for ever
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class FlatMLP:
    def __init__(self, sizes):
        shapes = [s for a, b in zip(sizes, sizes[1:]) for s in ((b, a), (b,))]
        numels = [torch.Size(s).numel() for s in shapes]
        self.flat = nn.Parameter(
            torch.cat(
                [
                    torch.randn(n) / s[-1] ** 0.5 if len(s) == 2 else torch.zeros(n)
                    for n, s in zip(numels, shapes)
                ]
            )
        )
        starts = itertools.accumulate([0, *numels])
        self.views = [
            self.flat.narrow(0, at, n).view(s) for at, n, s in zip(starts, numels, shapes)
        ]

    def __call__(self, x):
        *hidden, last = zip(self.views[::2], self.views[1::2])
        for w, b in hidden:
            x = torch.relu(F.linear(x, w, b))
        return F.linear(x, *last)


if __name__ == "__main__":
    torch.manual_seed(0)
    stream, model = batches(*classes(), size=32), FlatMLP([16, 32, 32, 4])
    optimizer = torch.optim.SGD([model.flat], lr=0.1)
    for step in range(ITERATIONS):
        x, y = next(stream)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f}, |flat| {model.flat.norm().item():.6f}")
