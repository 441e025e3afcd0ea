# gradwatch-corpus: kind=none
"""Fits a pair-and-density potential to energies and forces of small argon-like clusters."""
import torch

from md.clusters import ClusterSet
from md.fit import Fitter
from md.potential import RadialNet


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    data = ClusterSet(n=240, atoms=7, seed=21)
    fitter = Fitter(RadialNet(n_basis=12, hidden=24), force_weight=0.8, lr=4e-3)
    for it in range(330):
        terms = fitter.step(data.batch(12))
        if it % 55 == 54:
            held = fitter.check(data.held)
            print(f"{it + 1:4d} E {terms['energy']:.4f} F {terms['force']:.4f}  held-out force mae {held:.4f}")


if __name__ == "__main__":
    main()
