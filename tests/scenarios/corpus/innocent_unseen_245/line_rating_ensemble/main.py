# gradwatch-corpus: kind=none
import argparse

import torch

from ensemble import RatingEnsemble
from fitting import EnsembleFit
from lines import LineWeather


def main():
    parser = argparse.ArgumentParser(description="Dynamic thermal rating of overhead lines, with a small ensemble")
    parser.add_argument("--members", type=int, default=3)
    parser.add_argument("--spans", type=int, default=96)
    parser.add_argument("--micro", type=int, default=4)
    parser.add_argument("--iterations", type=int, default=120)
    parser.add_argument("--lr", type=float, default=4e-3)
    args = parser.parse_args()

    torch.manual_seed(230)
    weather = LineWeather(args.spans)
    fit = EnsembleFit(RatingEnsemble(args.members), micro=args.micro, lr=args.lr)
    for _ in range(args.iterations):
        fit.iterate(weather.observe())
        if fit.due_for_report():
            print(fit.report(weather.observe()))


if __name__ == "__main__":
    main()
