# gradwatch-corpus: kind=second-backward
# holder: self._cached_kernel | model.longrange._cached_kernel | self.longrange._cached_kernel
# first-bad: 1
# after: lab-cosmo/torch-pme issue 62 "Caching destroys computational graph"
"""Fit charges and smearing of a toy crystal potential to reference energies."""
from functools import partial

import torch

from .data import reference_set
from .model import CrystalEnergy


def closure_loss(model, frames):
    pred = torch.stack([model(f.positions, f.species) for f in frames])
    ref = torch.stack([f.energy for f in frames])
    return (pred - ref).pow(2).mean()


def main(steps=80):
    torch.manual_seed(0)
    frames, cell = reference_set(n=24, atoms=10)
    model = CrystalEnergy(cell, n_species=2)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    loss_of = partial(closure_loss, model)
    for step in range(steps):
        pick = torch.randperm(len(frames))[:6].tolist()
        opt.zero_grad()
        loss = loss_of([frames[i] for i in pick])
        loss.backward()
        opt.step()
        print(step, round(loss.item(), 5))


if __name__ == "__main__":
    main()
