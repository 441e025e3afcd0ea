# gradwatch-corpus: kind=graph-chain
# holder: self.cumulative_cost | calibrator.cumulative_cost
# first-bad: 1
"""Recursive calibration of PMU channel gains on a small transmission grid."""
import argparse

import torch

from calibration import RecursiveCalibrator
from grid import MeasurementStream
from grid import SubstationGrid


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--buses", type=int, default=24)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--snapshots", type=int, default=90)
    parser.add_argument("--per-snapshot", type=int, default=128)
    parser.add_argument("--lr", type=float, default=2e-2)
    parser.add_argument("--seed", type=int, default=11)
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    grid = SubstationGrid(args.buses, args.channels)
    stream = MeasurementStream(grid, args.per_snapshot)
    calibrator = RecursiveCalibrator(args.buses, args.channels, lr=args.lr)

    for step in range(args.snapshots):
        snapshot = stream.next_snapshot()
        report = calibrator.assimilate(snapshot)
        if step % 15 == 0:
            print(f"snapshot {step:3d}  cost/snapshot {report.mean_cost:.4f}  worst channel {report.worst_channel}")

    err = calibrator.gain_error(grid.jacobian)
    print(f"relative gain error {err:.4f}")


if __name__ == "__main__":
    main()
