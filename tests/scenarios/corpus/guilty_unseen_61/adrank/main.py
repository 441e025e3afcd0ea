# gradwatch-corpus: kind=graph-chain
# holder: self.level | balancer.level | self.balancer.level | pipeline.balancer.level
# first-bad: 2
# notice: 5
"""Click / conversion ranking with factorisation machines and level-balanced objectives."""
import argparse

import torch

from objectives.balance import LevelBalancer
from pipeline import RankingPipeline
from ranking.fm import TwoTaskFM


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--batches", type=int, default=110)
    ap.add_argument("--batch-size", type=int, default=64)
    ap.add_argument("--fields", type=int, nargs="+", default=[50, 30, 12, 7])
    ap.add_argument("--dim", type=int, default=8)
    ap.add_argument("--momentum", type=float, default=0.9)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(17)

    model = TwoTaskFM(args.fields, args.dim, tasks=("click", "buy"))
    balancer = LevelBalancer(momentum=args.momentum)
    pipeline = RankingPipeline(model, balancer, lr=0.02)
    report = pipeline.train(args.batches, args.batch_size)
    for name, curve in report.items():
        print(f"{name:6s} first {curve[0]:.4f} last {curve[-1]:.4f}")


if __name__ == "__main__":
    main()
