# gradwatch-corpus: kind=second-backward
# holder: self.table | self.propagation.table | self.model.propagation.table | model.propagation.table | trainer.model.propagation.table
# first-bad: 13
# notice: 0
"""Shopping-basket recommender: light graph convolution with BPR."""
import argparse

import torch

from interactions import BasketGraph
from models.lightgcn import BasketRecommender
from models.propagation import RefreshPolicy
from trainer import Trainer


def build(args):
    graph = BasketGraph(n_users=args.users, n_items=args.items, per_user=6)
    policy = RefreshPolicy(warmup=args.warmup, interval=args.interval)
    model = BasketRecommender(graph, dim=16, n_hops=2, policy=policy)
    return graph, model


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--users", type=int, default=120)
    ap.add_argument("--items", type=int, default=80)
    ap.add_argument("--warmup", type=int, default=12)
    ap.add_argument("--interval", type=int, default=4)
    ap.add_argument("--steps", type=int, default=100)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(3)
    graph, model = build(args)
    trainer = Trainer(model, graph, lr=5e-3)
    trainer.run(args.steps)
    print("final bpr", round(trainer.last, 4))


if __name__ == "__main__":
    main()
