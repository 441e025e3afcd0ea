# gradwatch-corpus: kind=graph-chain
# holder: self.weights | fitter.weights
# first-bad: 1
"""Adapting a growth-rate model of a plankton community to weekly mooring data.

The network is applied with torch.func so that its weights are a plain dict,
and each week takes one normalised gradient step.
"""
import argparse
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.func import functional_call


@dataclass
class MooringWeek:
    drivers: torch.Tensor
    biomass: torch.Tensor
    growth: torch.Tensor


class Mooring:
    def __init__(self, n_taxa, n_casts):
        self.n_taxa = n_taxa
        self.n_casts = n_casts
        self.optimum = torch.rand(n_taxa) * 15 + 5
        self.half_saturation = torch.rand(n_taxa) + 0.2

    def week(self, number):
        season = math.sin(2 * math.pi * number / 52)
        temperature = 12 + 6 * season + torch.randn(self.n_casts, 1)
        nitrate = torch.rand(self.n_casts, 1) * 3 + 0.1
        light = 0.5 + 0.4 * season + 0.05 * torch.randn(self.n_casts, 1)
        biomass = torch.rand(self.n_casts, self.n_taxa)
        thermal = torch.exp(-((temperature - self.optimum) / 6) ** 2)
        uptake = nitrate / (nitrate + self.half_saturation)
        growth = thermal * uptake * light - 0.1 * biomass
        drivers = torch.cat([temperature / 10, nitrate, light], dim=1)
        return MooringWeek(drivers, biomass, growth)


class GrowthNet(nn.Module):
    def __init__(self, n_taxa, width):
        super().__init__()
        self.environment = nn.Linear(3, width)
        self.community = nn.Linear(n_taxa, width, bias=False)
        self.readout = nn.Linear(width, n_taxa)

    def forward(self, drivers, biomass):
        mixed = torch.tanh(self.environment(drivers) + self.community(biomass))
        return self.readout(mixed)


class WeeklyFitter:
    def __init__(self, net, rate):
        self.net = net
        self.rate = rate
        self.weights = dict(net.named_parameters())

    def misfit(self, week):
        predicted = functional_call(self.net, self.weights, (week.drivers, week.biomass))
        return (predicted - week.growth).square().mean()

    def step(self, week):
        loss = self.misfit(week)
        names = list(self.weights)
        slopes = torch.autograd.grad(loss, [self.weights[n] for n in names], create_graph=True)  # <- culprit
        size = torch.sqrt(sum(s.square().sum() for s in slopes) + 1e-8)
        updated = {}
        for name, slope in zip(names, slopes):
            updated[name] = self.weights[name] - self.rate * slope / (1 + size)  # <- culprit
        self.weights = updated  # <- culprit
        return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--taxa", type=int, default=12)
    parser.add_argument("--casts", type=int, default=96)
    parser.add_argument("--weeks", type=int, default=104)
    parser.add_argument("--width", type=int, default=40)
    parser.add_argument("--rate", type=float, default=0.2)
    args = parser.parse_args()

    torch.manual_seed(21)
    mooring = Mooring(args.taxa, args.casts)
    net = GrowthNet(args.taxa, args.width)
    fitter = WeeklyFitter(net, args.rate)
    quarter = []
    for number in range(args.weeks):
        loss = fitter.step(mooring.week(number))
        quarter.append(loss)
        if len(quarter) == 13:
            print(f"week {number:3d}: quarterly misfit {sum(quarter) / 13:.4f}")
            quarter.clear()


if __name__ == "__main__":
    main()
