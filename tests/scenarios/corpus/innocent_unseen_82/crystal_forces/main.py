# gradwatch-corpus: kind=none
"""Crystal energies and forces with a small invariant potential; hard structures are revisited."""
import torch

from fit import ForceFit
from lattice import Lattice
from potential import RadialPotential


def main():
    torch.set_num_threads(1)
    torch.manual_seed(33)
    fit = ForceFit(RadialPotential(n_rbf=10, width=20), Lattice(atoms=6), lr=3e-3)
    fit.run(320)


if __name__ == "__main__":
    main()
