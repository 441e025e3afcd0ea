# gradwatch-corpus: kind=inplace-modified
# holder: stock
# first-bad: 0
import argparse

import torch

from .policy import OrderPolicy
from .simulator import Costs, Simulator


def scenarios(items, days, seed):
    gen = torch.Generator().manual_seed(seed)
    base = 2 + 4 * torch.rand(items, generator=gen)
    while True:
        weekly = 1 + 0.4 * torch.sin(2 * torch.pi * torch.arange(days) / 7).unsqueeze(1)
        yield torch.poisson(base * weekly, generator=gen)


def parse():
    parser = argparse.ArgumentParser(description="tune order levels by gradient descent")
    parser.add_argument("--items", type=int, default=10)
    parser.add_argument("--days", type=int, default=21)
    parser.add_argument("--rounds", type=int, default=80)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    policy = OrderPolicy(args.items)
    simulator = Simulator(policy, Costs())
    optimizer = torch.optim.Adam(policy.parameters(), lr=args.lr)
    opening = torch.full((args.items,), 8.0)
    for number, demand in zip(range(args.rounds), scenarios(args.items, args.days, args.seed)):
        optimizer.zero_grad()
        cost = simulator.cost(demand, opening)
        cost.backward()
        optimizer.step()
        if number % 20 == 0:
            print(f"round {number:3d}  cost {cost.item():.3f}", flush=True)
    print("levels", [round(v, 1) for v in policy.level.tolist()])


if __name__ == "__main__":
    main()
