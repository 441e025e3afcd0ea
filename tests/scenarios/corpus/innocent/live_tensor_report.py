# gradwatch-corpus: kind=none
# about: the script counts its own live tensors and graphs (gc, weak references, finalizers), as
# about: people do who hunt a leak: the numbers must be those of a run that nobody watches
import gc
import weakref

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class GraphCensus:
    def __init__(self):
        self.alive, self.most = weakref.WeakSet(), 0

    def add(self, tensor):
        self.alive.add(tensor)
        self.most = max(self.most, len(self.alive))

    @staticmethod
    def tensors():
        gc.collect()
        found = [o for o in gc.get_objects() if isinstance(o, torch.Tensor)]
        return len(found), sum(t.grad_fn is not None for t in found)


class Remember(torch.autograd.Function):
    """Notes when its node is freed."""

    freed = 0

    @staticmethod
    def forward(ctx, x):
        ctx.token = Token()
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad


class Token:
    def __del__(self):
        Remember.freed += 1


def main():
    torch.manual_seed(0)
    stream, census = batches(*classes(), size=32), GraphCensus()
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(ITERATIONS):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(Remember.apply(model(x)), y)
        census.add(loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            total, with_graph = census.tensors()
            print(
                f"{step}: {loss.item():.6f} tensors {total} with a graph {with_graph} "
                f"losses {len(census.alive)} most {census.most} nodes freed {Remember.freed}"
            )


if __name__ == "__main__":
    main()
