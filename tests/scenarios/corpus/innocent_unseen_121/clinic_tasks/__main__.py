# gradwatch-corpus: kind=none
"""One trunk, six lab-value heads, visited in shifts of eight steps."""
import torch

torch.set_num_threads(1)
torch.manual_seed(612)

from .board import Board
from .heads import LABS, Trunk, patients


def shift(net, opt, lab, board, clock):
    for minute in range(8):
        x, y = patients(lab, 14)
        loss = torch.nn.functional.smooth_l1_loss(net(x, lab), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        clock += 1
        if clock % 3 == 0:
            board.post(lab, loss)
    return clock


def main():
    net = Trunk()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-3)
    board = Board()
    clock = 0
    for round_no in range(18):
        for lab in LABS:
            clock = shift(net, opt, lab, board, clock)
    print(clock, "steps;", board.render())


main()
