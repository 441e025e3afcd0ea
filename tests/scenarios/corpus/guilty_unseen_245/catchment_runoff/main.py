# gradwatch-corpus: kind=second-backward
# holder: self._attributes | model._attributes | self.model._attributes | calibration.model._attributes
# first-bad: 8
"""Regional rainfall-runoff calibration: one catchment group per iteration."""
import argparse

import torch

from calibration import Calibration
from catchments import Region
from runoff import RegionalRunoff


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=8)
    parser.add_argument("--catchments", type=int, default=20)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--sweeps", type=int, default=12)
    parser.add_argument("--lr", type=float, default=5e-3)
    args = parser.parse_args()

    torch.manual_seed(14)
    region = Region(args.groups, args.catchments)
    model = RegionalRunoff(region.n_static)
    calibration = Calibration(model, lr=args.lr)
    for sweep in range(args.sweeps):
        total = 0.0
        for group in range(args.groups):
            season = region.season(group, args.days)
            total += calibration.update(season)
        print(f"sweep {sweep:2d}  mean log-flow error {total / args.groups:.4f}")


if __name__ == "__main__":
    main()
