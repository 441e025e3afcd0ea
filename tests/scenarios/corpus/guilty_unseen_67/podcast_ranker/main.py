# gradwatch-corpus: kind=graph-chain
# holder: self.total | objective.total | self.objective.total | rec.objective.total
# first-bad: 1
# notice: 5
"""Podcast recommendations: matrix factorisation of listening times."""
import argparse

import torch

from data import ListeningLog
from factors import FactorModel
from objectives import build_objective


class Recommender:
    def __init__(self, args):
        self.log = ListeningLog(args.listeners, args.shows, seed=args.seed)
        self.model = FactorModel(args.listeners, args.shows, args.rank)
        self.objective = build_objective(args.objective)
        self.optim = torch.optim.Adagrad(self.model.parameters(), lr=args.lr)

    def step(self, batch):
        who, show, minutes = batch
        self.optim.zero_grad()
        loss = self.objective(self.model(who, show), minutes)
        loss.backward(retain_graph=True)
        self.optim.step()
        return loss.item()

    @torch.no_grad()
    def holdout_error(self):
        who, show, minutes = self.log.holdout()
        return (self.model(who, show) - minutes).abs().mean().item()


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--listeners", type=int, default=120)
    ap.add_argument("--shows", type=int, default=60)
    ap.add_argument("--rank", type=int, default=6)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--objective", default="squared")
    ap.add_argument("--seed", type=int, default=3)
    return ap.parse_args()


def main():
    torch.set_num_threads(1)
    args = parse()
    torch.manual_seed(args.seed)
    rec = Recommender(args)
    for i, batch in enumerate(rec.log.batches(args.steps, size=64)):
        value = rec.step(batch)
        if i % 20 == 0:
            print(f"step {i:4d}  objective {value:.4f}  holdout MAE {rec.holdout_error():.4f}")
    print(f"done, holdout MAE {rec.holdout_error():.4f}")


if __name__ == "__main__":
    main()
