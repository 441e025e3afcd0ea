# gradwatch-corpus: kind=graph-held
# holder: self.decisions | journal.decisions | self.journal.decisions | learner.journal.decisions
# first-bad: 1
import argparse

import torch

from advisor import DispatchPolicy
from advisor import PolicyLearner
from feeder import Feeder
from journal import DecisionJournal


def build_parser():
    parser = argparse.ArgumentParser(description="Learn battery dispatch on a radial distribution feeder")
    parser.add_argument("--feeders", type=int, default=64)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--hours", type=int, default=6)
    parser.add_argument("--lr", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=77)
    return parser


def main():
    args = build_parser().parse_args()
    torch.manual_seed(args.seed)
    feeder = Feeder(args.feeders)
    policy = DispatchPolicy(feeder.n_observed)
    journal = DecisionJournal()
    learner = PolicyLearner(policy, journal, lr=args.lr)

    for day in range(args.days):
        cost = learner.train_day(feeder, hours=args.hours)
        if day % 15 == 14:
            spread = journal.value_spread(last=10)
            print(f"day {day + 1:3d}  cost {cost:8.4f}  value spread {spread:.4f}")


if __name__ == "__main__":
    main()
