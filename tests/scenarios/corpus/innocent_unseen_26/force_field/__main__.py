# gradwatch-corpus: kind=none
"""Machine-learned force field: energies and forces, forces by differentiating the energy."""
import torch

from .potential import Potential
from .train import ForceMatching


def main():
    torch.manual_seed(0)
    task = ForceMatching(Potential(n_rbf=12, hidden=24), lr=2e-3, force_weight=0.9)
    for step in range(100):
        parts = task.step()
        if step % 25 == 0:
            print(step, {k: round(v, 4) for k, v in parts.items()})
    print("best validation force rmse", min(task.history["val_force"]))


if __name__ == "__main__":
    main()
