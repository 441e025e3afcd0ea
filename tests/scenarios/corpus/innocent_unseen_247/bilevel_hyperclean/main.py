# gradwatch-corpus: kind=none
"""Unrolled bilevel optimisation of per-feature ridge penalties and a learned step size."""
import torch

from experiment import Experiment, Settings


def main():
    torch.manual_seed(33)
    settings = Settings(rounds=70, unroll=6, features=40, relevant=6)
    exp = Experiment(settings)
    exp.run()
    chosen = exp.selected(6)
    print("picked features:", sorted(chosen))
    print("outer curve:", [round(v, 3) for v in exp.history.outer[::14]])


if __name__ == "__main__":
    main()
