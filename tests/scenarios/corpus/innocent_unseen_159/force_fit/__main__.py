# gradwatch-corpus: kind=none
"""Energies and forces of small clusters; several listeners share one lazy run."""
import itertools

import torch

from .potential import Pairwise
from .run import Run, clusters

torch.set_num_threads(1)
torch.manual_seed(15)


def energies(steps):
    for st in steps:
        yield st.e.mean().item()


def forces(steps):
    for st in steps:
        yield st.f.norm(dim=-1).max().item()


def main():
    run = Run(Pairwise(), lr=5e-3)
    a, b, c = itertools.tee(run(clusters(100)), 3)
    for st, e, f in zip(a, energies(b), forces(c)):
        if st.k % 25 == 24:
            print(f"{st.k}: loss {st.loss:.4f} mean E {e:.4f} max F {f:.4f}")


if __name__ == "__main__":
    main()
