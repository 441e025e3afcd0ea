# gradwatch-corpus: kind=none
"""Tokamak plasma surrogate trained online with a sliding back-propagation window."""
import torch

from plant import Plant
from surrogate import PlasmaCell
from window import SlidingTrainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    plant = Plant(shots=6)
    cell = PlasmaCell(n_act=3, n_diag=4, hidden=24)
    trainer = SlidingTrainer(cell, depth=4, stride=2, lr=2e-3)
    trainer.consume(plant.stream(), updates=304)


if __name__ == "__main__":
    main()
