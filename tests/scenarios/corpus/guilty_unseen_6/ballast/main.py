# gradwatch-corpus: kind=graph-chain
# holder: self.level[name] | self.level | balancer.level | objective.level | self.objective.level
# first-bad: 1
"""Two-tower-free baseline for the grocery basket ranker (implicit feedback)."""
import argparse

import torch

from interactions import BasketLog
from objective import ScaleBalancer, calibration_term, pairwise_term
from ranker import FactorRanker


class Job:
    def __init__(self, ns):
        torch.manual_seed(ns.seed)
        self.ns = ns
        self.log = BasketLog(ns.shoppers, ns.products, seed=ns.seed)
        self.ranker = FactorRanker(ns.shoppers, ns.products, ns.rank)
        self.objective = ScaleBalancer(decay=0.9)
        self.optimizer = torch.optim.Adam(self.ranker.parameters(), lr=ns.lr)

    def one(self, who, bought, skipped):
        good = self.ranker(who, bought)
        poor = self.ranker(who, skipped)
        self.optimizer.zero_grad()
        objective = self.objective.combine(
            rank=pairwise_term(good, poor),
            calib=calibration_term(good, poor),
        )
        # "Specify retain_graph=True if you need to backward through ... a second time"
        objective.backward(retain_graph=True)
        self.optimizer.step()
        return objective.item(), (good > poor).float().mean().item()

    def go(self):
        for k, triple in enumerate(self.log.triples(self.ns.batch, self.ns.steps)):
            value, auc = self.one(*triple)
            if k % 30 == 0:
                print(f"[{k:>4}] objective={value:.3f} auc={auc:.3f}")


def cli():
    p = argparse.ArgumentParser()
    p.add_argument("--shoppers", type=int, default=220)
    p.add_argument("--products", type=int, default=140)
    p.add_argument("--rank", type=int, default=12)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--steps", type=int, default=180)
    p.add_argument("--lr", type=float, default=2e-2)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


if __name__ == "__main__":
    Job(cli()).go()
