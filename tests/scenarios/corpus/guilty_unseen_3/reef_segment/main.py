# gradwatch-corpus: kind=inplace-modified
# holder: p | net.enc.weight | net.mid.weight | net.dec.weight
# first-bad: 24
"""Coral cover segmentation; every now and then the averaged weights are tried on the hold-out tile."""
import torch

from averaging import Averager
from net import CoverNet, tile


def train():
    torch.manual_seed(41)
    net = CoverNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    avg = Averager(net, 0.95)
    hold_x, hold_y = tile(9999)
    for n in range(1, 201):
        x, y = tile(n)
        heat = net(x)
        dice = net.dice(heat, y)
        line = f"tile {n}: dice loss {dice.item():.3f}"
        if n % 25 == 0:
            with avg.applied(), torch.no_grad():
                line += f", averaged hold-out {net.dice(net(hold_x), hold_y).item():.3f}"
        opt.zero_grad()
        dice.backward()
        opt.step()
        avg.update()
        if n % 5 == 0:
            print(line)


if __name__ == "__main__":
    train()
