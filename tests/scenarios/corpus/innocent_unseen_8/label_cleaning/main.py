# gradwatch-corpus: kind=none
# about: an unrolled inner loop with create_graph and a list of all iterates, but every outer round starts afresh and clears the list
"""Bilevel data cleaning: one weight per (possibly mislabelled) astronomical source, trained through an unrolled classifier fit."""
import argparse

import torch

from catalogue import make_catalogue
from outer import SourceWeights, outer_round
from unroll import UnrolledFit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=300)
    ap.add_argument("--inner", type=int, default=8)
    a = ap.parse_args()
    torch.manual_seed(1054)
    cat = make_catalogue(sources=160, features=10, corrupted=0.35)
    weights = SourceWeights(cat.train_x.shape[0])
    fit = UnrolledFit(features=10, classes=3, steps=a.inner, eta=0.8)
    opt = torch.optim.Adam(weights.parameters(), lr=0.05)
    for r in range(a.rounds):
        val, path = outer_round(cat, weights, fit, opt)
        if r % 60 == 0:
            w = weights().detach()
            print(f"round {r:3d} val {val:.4f} path {path:.2f} weight clean {w[~cat.bad].mean():.3f} bad {w[cat.bad].mean():.3f}")


if __name__ == "__main__":
    main()
