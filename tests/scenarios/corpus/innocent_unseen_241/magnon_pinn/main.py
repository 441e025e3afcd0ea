# gradwatch-corpus: kind=none
import torch

from physics import DispersionField, initial_spin, wave_residual
from schedule import CausalWeights, ResidualPool
from session import Session


def main():
    torch.manual_seed(17)
    field = DispersionField(width=32)
    session = Session(
        field=field,
        residual=wave_residual,
        initial=initial_spin,
        causal=CausalWeights(slabs=6, epsilon=1.0),
        pool=ResidualPool(size=600, seed=17),
    )
    for sweep, row in session.sweeps(110):
        if sweep % 20 == 0:
            print(f"sweep {sweep:3d} " + " ".join(f"{k}={v:.4f}" for k, v in row.items()))
    print("best:", min(session.logbook["total"]))


if __name__ == "__main__":
    main()
