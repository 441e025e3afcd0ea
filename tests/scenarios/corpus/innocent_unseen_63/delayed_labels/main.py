# gradwatch-corpus: kind=none
"""Online forecaster whose labels come `delay` steps after its predictions."""
import argparse

import torch

from feed import MeterFeed
from learner import DelayedLearner
from model import DecompLinear


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=250)
    p.add_argument("--delay", type=int, default=5)
    p.add_argument("--context", type=int, default=32)
    p.add_argument("--meters", type=int, default=16)
    p.add_argument("--lr", type=float, default=0.01)
    args = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(8)
    feed = MeterFeed(args.meters, args.context)
    learner = DelayedLearner(DecompLinear(args.context), args.delay, args.lr)
    recent = []
    for step in range(args.steps):
        window, now = feed.tick()
        loss = learner.observe(window, now)
        if loss is not None:
            recent.append(loss)
        if (step + 1) % 50 == 0 and recent:
            print(f"step {step + 1} waiting {len(learner.pending)} mse {sum(recent) / len(recent):.4f}")
            recent.clear()


if __name__ == "__main__":
    main()
