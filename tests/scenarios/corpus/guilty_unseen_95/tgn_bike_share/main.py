# gradwatch-corpus: kind=graph-chain
# holder: self.state | memory.state | model.memory.state | self.model.memory.state | self.memory.state
# first-bad: 1
# notice: 5
"""Predict bike-share trip durations from a stream of (origin, destination) events."""
import argparse

import torch

from engine import Runner
from events import TripStream
from nets import TripModel
from optim import Lamb


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--stations", type=int, default=24)
    p.add_argument("--dim", type=int, default=16)
    p.add_argument("--steps", type=int, default=160)
    p.add_argument("--batch", type=int, default=12)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--seed", type=int, default=11)
    return p.parse_args()


def main():
    args = get_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    stream = TripStream(args.stations, args.batch)
    model = TripModel(args.stations, args.dim, stream.n_feat)
    opt = Lamb(model.parameters(), lr=args.lr, weight_decay=1e-4)
    runner = Runner(model, opt, log_every=40)
    runner.fit(stream, args.steps)
    print("mean abs error over the last events: %.3f" % runner.recent_mae())


if __name__ == "__main__":
    main()
