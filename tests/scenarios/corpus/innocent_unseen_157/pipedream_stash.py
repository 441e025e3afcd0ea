# gradwatch-corpus: kind=none
"""Asynchronous pipeline on one machine: a micro-batch goes back `delay` ticks after it went forward,
against the weights that it saw (weight stashing)."""
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(6)


@dataclass
class InFlight:
    number: int
    weights: dict
    loss: torch.Tensor


def make_stage(width=28):
    return nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4))


class Pipeline:
    def __init__(self, model, delay=4, lr=0.05):
        self.model = model
        self.delay = delay
        self.flight = deque()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.5)
        self.finished = []

    def stash(self):
        return {name: p.detach().clone().requires_grad_() for name, p in self.model.named_parameters()}

    def forward(self, number, x, y):
        weights = self.stash()
        logits = functional_call(self.model, weights, (x,))
        self.flight.append(InFlight(number, weights, nn.functional.cross_entropy(logits, y)))

    def backward(self):
        batch = self.flight.popleft()
        grads = torch.autograd.grad(batch.loss, list(batch.weights.values()))
        for p, g in zip(self.model.parameters(), grads):
            p.grad = g
        self.optimizer.step()
        self.finished.append((batch.number, batch.loss.item()))

    def tick(self, number, x, y):
        self.forward(number, x, y)
        if len(self.flight) > self.delay:
            self.backward()

    def drain(self):
        while self.flight:
            self.backward()


def batches(count, size=16):
    rule = torch.randn(10, 4)
    for number in range(count):
        x = torch.randn(size, 10)
        yield number, x, (x @ rule).argmax(1)


def main():
    pipeline = Pipeline(make_stage())
    for number, x, y in batches(140):
        pipeline.tick(number, x, y)
        if number % 35 == 34:
            done, loss = pipeline.finished[-1]
            print(f"in {number}, back {done}, loss {loss:.4f}, in flight {len(pipeline.flight)}")
    pipeline.drain()
    print("all back:", len(pipeline.finished))


if __name__ == "__main__":
    main()
