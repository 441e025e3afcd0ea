# gradwatch-corpus: kind=second-backward
# holder: net.conv1._propagator | net.conv2._propagator | self._propagator | self.conv1._propagator | self.conv2._propagator | layer._propagator
# first-bad: 1
"""python -m traffic_gnn: next-step speed prediction on a road graph."""
import argparse
import logging

import torch
from torch import nn

from .data import SpeedPanel
from .layers import RoadConv


class SpeedNet(nn.Module):
    def __init__(self, edges, n_nodes, lags, width):
        super().__init__()
        self.conv1 = RoadConv(edges, n_nodes, lags, width)
        self.conv2 = RoadConv(edges, n_nodes, width, width)
        self.readout = nn.Linear(width, 1)

    def forward(self, speeds):
        h = torch.relu(self.conv1(speeds))
        h = torch.relu(self.conv2(h)) + h
        return self.readout(h).squeeze(-1)


def train(net, panel, args, log):
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    for it, (past, future) in enumerate(panel.batches(args.iters, args.batch)):
        loss = nn.functional.l1_loss(net(past), future)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            log.info("it %d mae %.3f", it, loss.item())


def main():
    ap = argparse.ArgumentParser(prog="traffic_gnn")
    ap.add_argument("--nodes", type=int, default=20)
    ap.add_argument("--lags", type=int, default=6)
    ap.add_argument("--iters", type=int, default=100)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--lr", type=float, default=4e-3)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(2)
    panel = SpeedPanel(args.nodes, args.lags)
    net = SpeedNet(panel.edges, args.nodes, args.lags, width=24)
    train(net, panel, args, logging.getLogger("traffic_gnn"))


main()
