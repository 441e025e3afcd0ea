# gradwatch-corpus: kind=graph-held
# holder: self.last_grasp | planner.last_grasp
# first-bad: 1
import argparse
from collections import Counter

import torch

from objects import scans
from planner import GraspPlanner


def parse() -> argparse.Namespace:
    ap = argparse.ArgumentParser()
    ap.add_argument("--objects", type=int, default=160)
    ap.add_argument("--points", type=int, default=512)
    ap.add_argument("--lr", type=float, default=1e-3)
    ap.add_argument("--seed", type=int, default=8)
    return ap.parse_args()


def main() -> None:
    args = parse()
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed + 1)
    planner = GraspPlanner(args.lr)
    acc: Counter = Counter()

    for scan in scans(args.objects, args.points, gen):
        acc.update(planner.fit_one(scan))
        if scan.object_id % 20 == 19:
            line = "  ".join(f"{k} {v / 20:.4f}" for k, v in acc.items())
            print(f"object {scan.object_id + 1:4d}  {line}")
            acc.clear()

    print(f"{len(planner.last_grasp)} grasps, spread {planner.spread():.3f} m")


if __name__ == "__main__":
    main()
