# gradwatch-corpus: kind=graph-held
# holder: self.pending | board.pending
# first-bad: 1
"""Fit a pairwise neural potential to energies and forces of small clusters.

    python -m energyfit
"""
import torch

from .data import Clusters
from .potential import PairPotential
from .record import ScalarBoard


def energy_and_forces(model, pos):
    pos = pos.clone().requires_grad_(True)
    e = model(pos)
    f, = torch.autograd.grad(e.sum(), pos, create_graph=True)
    return e, -f


def losses(model, batch):
    pos, e_ref, f_ref = batch
    e, f = energy_and_forces(model, pos)
    return {
        "energy": ((e - e_ref) / pos.size(1)).pow(2).mean(),
        "force": (f - f_ref).pow(2).mean(),
    }


def main(steps=80, w_force=0.3):
    torch.manual_seed(6)
    data = Clusters(n_frames=256, n_atoms=5)
    model = PairPotential(hidden=16)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    board = ScalarBoard(flush_every=500)

    for step in range(steps):
        terms = losses(model, data.sample(16))
        total = terms["energy"] + w_force * terms["force"]
        opt.zero_grad()
        total.backward()
        opt.step()
        board.log(step, loss=total.item(), **board.rooted(terms))  # <- culprit
        if step % 20 == 0:
            print(f"step {step:3d}  total {total.item():.4f}  force rmse {terms['force'].item() ** 0.5:.4f}")
    board.flush()
    print("rows written:", board.written)


if __name__ == "__main__":
    main()
