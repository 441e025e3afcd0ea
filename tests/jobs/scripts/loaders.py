"""Batches from worker processes, forked and then spawned."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import gradwatch_agent.auto  # noqa: F401


def main(iterations: int) -> None:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    rows = TensorDataset(torch.randn(2 * iterations, 4))
    for method in ("fork", "spawn"):
        for (x,) in DataLoader(rows, 2, num_workers=1, multiprocessing_context=method):
            optimizer.zero_grad()
            model(x).pow(2).mean().backward()
            optimizer.step()


if __name__ == "__main__":
    main(int(sys.argv[1]))
