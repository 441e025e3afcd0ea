# gradwatch-corpus: kind=graph-chain
# holder: self.weights | self.inner.weights | inner.weights | tuner.inner.weights
# first-bad: 1
# notice: 5
"""Tune step size and weight decay online, by the one-step hypergradient of the validation loss."""
import argparse

import torch

from inner.learner import InnerLearner
from outer.tuner import HyperTuner


def draw(n):
    x = torch.rand(n, 4) * 2 - 1
    y = torch.sin(2 * x[:, :1]) + x[:, 1:2] * x[:, 2:3]
    return x, y + 0.05 * torch.randn_like(y)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--steps", type=int, default=80)
    ap.add_argument("--hyper-lr", type=float, default=0.01)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(9)

    inner = InnerLearner(n_in=4, width=16)
    tuner = HyperTuner(inner, hyper_lr=args.hyper_lr)
    x_val, y_val = draw(64)
    for step in range(args.steps):
        x, y = draw(32)
        val = tuner.step((x, y), (x_val, y_val))
        if step % 16 == 0:
            print(f"{step:3d} val {val:.4f} " + " ".join(f"{k}={v:.4g}" for k, v in tuner.current().items()))


if __name__ == "__main__":
    main()
