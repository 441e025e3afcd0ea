# gradwatch-corpus: kind=graph-held
# holder: self._queue | log._queue | solver.log._queue | self.log._queue
# first-bad: 1
# notice: 8
"""Physics-informed network for the heat equation on a rod, with a CSV log of the loss terms."""
import argparse
import os
import tempfile

import torch

from physics.rod import HeatRod, RodNet
from solver import Solver
from telemetry.csvlog import CsvLog


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--iterations", type=int, default=120)
    ap.add_argument("--diffusivity", type=float, default=0.1)
    ap.add_argument("--points", type=int, default=64)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(31)

    fd, path = tempfile.mkstemp(suffix=".csv")
    os.close(fd)
    with CsvLog(path, ["step", "pde", "initial", "walls"]) as log:
        solver = Solver(RodNet(width=20), HeatRod(args.diffusivity, args.points), log)
        solver.solve(args.iterations)
    with open(path) as f:
        rows = f.read().splitlines()
    print(rows[0], "|", rows[-1], f"({len(rows) - 1} rows)")
    os.remove(path)


if __name__ == "__main__":
    main()
