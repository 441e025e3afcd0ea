# gradwatch-corpus: kind=none
"""Autoencoder on wind-turbine telemetry with a live board of the worst and the latest batches."""
import torch

from board import Board
from model import Autoencoder
from telemetry import Telemetry


def fit(steps=400):
    torch.set_num_threads(1)
    torch.manual_seed(9)
    source = Telemetry(channels=12)
    net = Autoencoder(12, 3)
    opt = torch.optim.RMSprop(net.parameters(), lr=3e-3)
    board = Board(worst=6, latest=10)
    for step in range(steps):
        x, turbine = source.read(20)
        error = (net(x) - x).square().mean(1)
        loss = error.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        board.post(step, turbine, loss, error)
        if step % 100 == 99:
            board.show(step + 1)
    return net


if __name__ == "__main__":
    fit()
