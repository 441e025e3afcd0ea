# gradwatch-corpus: kind=none
"""Few-shot calibration of sensors by second-order MAML."""
import argparse

import torch

from meta.learner import MetaLearner
from meta.tasks import SensorFamily


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--meta-steps", type=int, default=120)
    ap.add_argument("--tasks", type=int, default=3)
    ap.add_argument("--inner-steps", type=int, default=2)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(6)

    learner = MetaLearner(width=24, inner_steps=args.inner_steps)
    family = SensorFamily(shots=8)
    for it in range(args.meta_steps):
        losses = learner.meta_step([family.draw() for _ in range(args.tasks)])
        if it % 30 == 0:
            print(it, "query losses", [round(v, 3) for v in losses],
                  "inner lr", [round(v, 4) for v in learner.inner_rates()])
    print("tasks adapted:", learner.adapted, "best", round(learner.best, 4))


if __name__ == "__main__":
    main()
