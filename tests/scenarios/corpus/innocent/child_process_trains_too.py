# gradwatch-corpus: kind=none
# about: the training process forks a child now and then, which fine-tunes a copy for a few steps
# about: and sends the score home through a pipe, while the parent goes on
import multiprocessing

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


def build():
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))


def steps(model, stream, n):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(n):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def fine_tune(weights, out):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = build()
    model.load_state_dict({k: torch.tensor(v) for k, v in weights.items()})
    out.send(steps(model, batches(*classes(64, seed=5), size=16), 20))
    out.close()


def main():
    torch.manual_seed(0)
    context = multiprocessing.get_context("fork")
    model, stream = build(), batches(*classes(), size=32)
    for chunk in range(3):
        here, there = context.Pipe(duplex=False)
        weights = {k: v.tolist() for k, v in model.state_dict().items()}
        child = context.Process(target=fine_tune, args=(weights, there))
        child.start()
        there.close()
        loss = steps(model, stream, ITERATIONS // 3)
        tuned = here.recv()
        child.join()
        print(f"chunk {chunk}: {loss:.6f}, tuned child {tuned:.6f}, exit {child.exitcode}")


if __name__ == "__main__":
    main()
