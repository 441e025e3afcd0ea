# gradwatch-corpus: kind=graph-held
# holder: self.last_pred | sampler.last_pred | trainer.sampler.last_pred
# first-bad: 1
import torch

from dataset import MoleculeSet
from gnn import MPNN
from sampler import HardnessSampler
from trainer import Trainer

SETTINGS = dict(seed=41, n_molecules=4000, batch=24, steps=100, lr=2e-3, hidden=24, rounds=2)


def main():
    torch.manual_seed(SETTINGS["seed"])
    data = MoleculeSet(SETTINGS["n_molecules"])
    sampler = HardnessSampler(data, SETTINGS["batch"], hard_fraction=0.25)
    model = MPNN(data.n_atom_types, SETTINGS["hidden"], SETTINGS["rounds"])
    tr = Trainer(model, sampler, SETTINGS["lr"])
    tr.train(SETTINGS["steps"])
    print("mae", tr.summary())


if __name__ == "__main__":
    main()
