"""Three threads that train in step, each a model of its own."""

import sys
import threading

import torch
from torch import nn

import gradwatch_agent.auto  # noqa: F401

THREADS = 3
iterations = int(sys.argv[1])
turn = threading.Barrier(THREADS, timeout=60)
torch.set_num_threads(1)


def train() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(iterations):
        turn.wait()  # or the second may begin when the first has ended
        optimizer.zero_grad()
        model(torch.randn(3, 4)).pow(2).mean().backward()
        optimizer.step()


workers = [threading.Thread(target=train) for _ in range(THREADS)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
