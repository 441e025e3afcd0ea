# gradwatch-corpus: kind=graph-chain
# holder: self.state | tracker.state | self.state[0] | self.state[1] | tracker.state[0] | tracker.state[1]
# first-bad: 1
# notice: 5
"""Alpha-beta tracker with learned gains on a long synthetic radar plot stream."""
import argparse

import torch

from radar import PlotStream
from trackers import ClutterAwareTracker

torch.set_num_threads(1)


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--blocks", type=int, default=100)
    ap.add_argument("--scans", type=int, default=6)
    ap.add_argument("--targets", type=int, default=10)
    ap.add_argument("--lr", type=float, default=0.03)
    return ap.parse_args()


def main():
    args = parse()
    torch.manual_seed(12)
    stream = PlotStream(args.targets, args.scans, seed=4)
    tracker = ClutterAwareTracker(args.targets, period=stream.period)
    for block, plots in zip(range(args.blocks), stream):
        report = tracker.fit_block(plots, args.lr)
        if block % 20 == 0:
            print(f"block {block:3d} nll {report['nll']:.4f} gains {report['gains']}")


if __name__ == "__main__":
    main()
