# gradwatch-corpus: kind=none
"""Learning an initialisation that adapts to a new acid from a few titration points."""
import argparse

import torch

from adaptation import MetaFit
from bench import TitrationBench
from curve import CurveNet


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--meta-steps", type=int, default=80)
    parser.add_argument("--acids", type=int, default=6)
    parser.add_argument("--inner-steps", type=int, default=3)
    parser.add_argument("--points", type=int, default=12)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()
    torch.manual_seed(71)
    bench = TitrationBench(args.points)
    fit = MetaFit(CurveNet(), inner_steps=args.inner_steps, lr=args.lr)
    for step in range(args.meta_steps):
        acids = [bench.new_acid() for _ in range(args.acids)]
        before, after = fit.meta_step(acids)
        fit.ledger.add(before, after)
        if fit.ledger.full:
            b, a = fit.ledger.close()
            print(f"meta step {step:3d}: error before {b:.4f}, after adaptation {a:.4f}")


if __name__ == "__main__":
    main()
