# gradwatch-corpus: kind=none
"""Estimating vital rates of an age-structured fish stock by differentiating through the simulation.

A whole cohort history is unrolled before each backward pass; the states of
the history are kept until the fit of that history is done.
"""
import argparse
from dataclasses import dataclass
from dataclasses import field

import torch
from torch import nn


class ExpMortality(torch.autograd.Function):
    """exp(-z) with z cut off at a ceiling but a gradient that still passes."""

    @staticmethod
    def forward(ctx, z, ceiling):
        survival = torch.exp(-z.clamp(max=ceiling))
        ctx.save_for_backward(survival)
        return survival

    @staticmethod
    def backward(ctx, grad):
        (survival,) = ctx.saved_tensors
        return -grad * survival, None


@dataclass
class StockState:
    numbers: torch.Tensor
    year: int


@dataclass
class History:
    states: list = field(default_factory=list)
    indices: list = field(default_factory=list)

    def push(self, state, index):
        self.states.append(state)
        self.indices.append(index)

    def clear(self):
        self.states.clear()
        self.indices.clear()


class Stock(nn.Module):
    def __init__(self, n_ages):
        super().__init__()
        self.n_ages = n_ages
        self.log_mortality = nn.Parameter(torch.full((n_ages,), -1.5))
        self.selectivity = nn.Parameter(torch.zeros(n_ages))
        self.log_fecundity = nn.Parameter(torch.full((n_ages,), -1.0))
        self.log_capacity = nn.Parameter(torch.tensor(1.0))

    def advance(self, state, effort):
        fishing = torch.sigmoid(self.selectivity) * effort.unsqueeze(1)
        z = self.log_mortality.exp() + fishing
        survivors = state.numbers * ExpMortality.apply(z, 4.0)
        spawners = (survivors * self.log_fecundity.exp()).sum(dim=1, keepdim=True)
        recruits = spawners / (1 + spawners / self.log_capacity.exp())
        numbers = torch.cat([recruits, survivors[:, :-1]], dim=1)
        caught = (fishing / z * (state.numbers - survivors)).sum(dim=1)
        return StockState(numbers, state.year + 1), caught


class Fishery:
    def __init__(self, n_stocks, n_ages):
        self.n_stocks = n_stocks
        self.truth = Stock(n_ages)
        with torch.no_grad():
            self.truth.log_mortality.copy_(torch.linspace(-0.8, -2.0, n_ages))
            self.truth.selectivity.copy_(torch.linspace(-3, 3, n_ages))
            self.truth.log_fecundity.copy_(torch.linspace(-4, 0.5, n_ages))

    @torch.no_grad()
    def observe(self, years):
        start = 0.5 + torch.rand(self.n_stocks, self.truth.n_ages)
        effort = torch.rand(years, self.n_stocks)
        state = StockState(start, 0)
        catches = []
        for year in range(years):
            state, caught = self.truth.advance(state, effort[year])
            catches.append(caught * torch.exp(0.05 * torch.randn(self.n_stocks)))
        return start, effort, torch.stack(catches)


class StockFit:
    def __init__(self, stock, lr):
        self.stock = stock
        self.history = History()
        self.optimizer = torch.optim.Adam(stock.parameters(), lr=lr)

    def fit(self, start, effort, catches):
        state = StockState(start, 0)
        for year_effort in effort:
            state, caught = self.stock.advance(state, year_effort)
            self.history.push(state, caught)
        simulated = torch.stack(self.history.indices)
        likelihood = (torch.log(simulated + 1e-6) - torch.log(catches + 1e-6)).square().mean()
        totals = torch.stack([s.numbers.sum(dim=1) for s in self.history.states])
        stability = (totals[1:] - totals[:-1]).square().mean()
        loss = likelihood + 1e-3 * stability
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        final = state.numbers.detach().mean(dim=0)
        self.history.clear()
        return likelihood.item(), final


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ages", type=int, default=8)
    parser.add_argument("--stocks", type=int, default=32)
    parser.add_argument("--years", type=int, default=12)
    parser.add_argument("--iterations", type=int, default=120)
    parser.add_argument("--lr", type=float, default=2e-2)
    args = parser.parse_args()
    torch.manual_seed(1998)
    fishery = Fishery(args.stocks, args.ages)
    fit = StockFit(Stock(args.ages), args.lr)
    profile = torch.zeros(args.ages)
    for number in range(args.iterations):
        value, final = fit.fit(*fishery.observe(args.years))
        profile = 0.9 * profile + 0.1 * final
        if number % 20 == 0:
            print(f"{number:4d}  log-catch error {value:.4f}")
    print("final age profile", [round(v, 2) for v in profile.tolist()])


if __name__ == "__main__":
    main()
