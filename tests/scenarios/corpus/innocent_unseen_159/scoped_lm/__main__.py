# gradwatch-corpus: kind=none
"""Small LM with an auxiliary head, scoped boards and a weight average used as a tether."""
import torch

from .board import Board
from .lm import TinyLM, text
from .tether import Tether

torch.set_num_threads(1)
torch.manual_seed(77)


def fit(net, board, data):
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    tether = Tether(net, 0.02, 0.05)
    for k, ids in enumerate(data):
        with board.scope(step=k) as ctx:
            total = net.losses(ids, ctx) + tether.pull()
            opt.zero_grad()
            total.backward()
            opt.step()
            tether.follow()
        if k % 25 == 24:
            print(k, board.line())


def main():
    fit(TinyLM(), Board(run="lm"), text(100))


if __name__ == "__main__":
    main()
