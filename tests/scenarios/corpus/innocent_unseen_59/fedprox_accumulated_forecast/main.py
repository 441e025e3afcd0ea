# gradwatch-corpus: kind=none
"""Federated demand forecasting (FedProx) with shared seasonal factors per accumulation window."""
import argparse
import random

import torch

from local import LocalTrainer
from model import DemandModel
from rounds import Coordinator


def site_series(sites, days, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(days, dtype=torch.float32)
    for _ in range(sites):
        phase, trend = 6.28 * torch.rand(1, generator=g), 0.3 * torch.randn(1, generator=g)
        yield (torch.sin(6.28 * t / 7 + phase) + trend * t / days
               + 0.1 * torch.randn(days, generator=g))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=20)
    ap.add_argument("--local-steps", type=int, default=3)
    ap.add_argument("--sites", type=int, default=5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(27)
    model = DemandModel(history=14, horizon=3, width=24)
    sites = [LocalTrainer(i, s, micro=4, mu=0.05, lr=0.02) for i, s in enumerate(site_series(args.sites, 200, 28))]
    coordinator = Coordinator(model, sites, random.Random(29))
    for r in range(args.rounds):
        summary = coordinator.round(args.local_steps, chosen=2)
        if r % 5 == 0:
            print(r, summary)
    print("rounds kept in ledger:", len(coordinator.ledger))


if __name__ == "__main__":
    main()
