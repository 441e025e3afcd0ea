# gradwatch-corpus: kind=none
# about: some batches fail, in the forward, in a hook within the backward, for want of a graph;
# about: each error is caught, the last one is kept for the report, training goes on
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class BadBatch(Exception):
    pass


class Guarded(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(16, 32), nn.Linear(32, 4)

    def forward(self, x):
        h = torch.relu(self.a(x))
        if torch.isnan(h).any():
            raise BadBatch("nan in the activations")
        if h.requires_grad:
            h.register_hook(self.check)
        return self.b(h)

    @staticmethod
    def check(grad):
        if grad.abs().max() > 1e3:
            raise BadBatch("gradient too large")


def spoil(step, x):
    if step % 7 == 3:
        return x.clone().index_fill_(0, torch.tensor([0]), float("nan"))
    return x


def main():
    torch.manual_seed(0)
    stream, model = batches(*classes(), size=32), Guarded()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    failures, last_error = {}, None
    for step in range(ITERATIONS):
        x, y = next(stream)
        optimizer.zero_grad()
        try:
            loss = nn.functional.cross_entropy(model(spoil(step, x)), y)
            if step % 11 == 5:
                loss = loss * 1e6
            if step % 13 == 8:
                with torch.no_grad():
                    loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        except (BadBatch, RuntimeError) as error:
            last_error = error
            name = type(error).__name__
            failures[name] = failures.get(name, 0) + 1
            continue
        if step % 50 == 0:
            print(f"{step}: {loss.item():.6f} failures {failures}")
    print(f"last: {type(last_error).__name__}, {sum(failures.values())} in all")


if __name__ == "__main__":
    main()
