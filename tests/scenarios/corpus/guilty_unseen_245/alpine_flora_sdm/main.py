# gradwatch-corpus: kind=graph-held
# holder: self.log.records | run.log.records | log.records | self.records
# first-bad: 1
import argparse

import torch

from fieldlog import SurveyLog
from occupancy import OccupancyNet
from plots import PlotSampler
from run import ModelRun


def main():
    parser = argparse.ArgumentParser(description="Joint species distribution model for alpine vegetation plots")
    parser.add_argument("--species", type=int, default=30)
    parser.add_argument("--plots-per-batch", type=int, default=128)
    parser.add_argument("--batches", type=int, default=120)
    parser.add_argument("--factors", type=int, default=6)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()

    torch.manual_seed(2024)
    sampler = PlotSampler(n_species=args.species, batch=args.plots_per_batch)
    net = OccupancyNet(n_covariates=sampler.n_covariates, n_species=args.species, n_factors=args.factors)
    run = ModelRun(net, SurveyLog(), lr=args.lr)
    for number in range(args.batches):
        batch = sampler.draw()
        run.fit_batch(number, batch)
    run.log.summarise()


if __name__ == "__main__":
    main()
