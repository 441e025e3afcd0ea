# gradwatch-corpus: kind=none
"""1-D seismic velocity inversion: checkpointed wave propagation, L-BFGS over shots."""
import logging

import torch

from inversion import Inversion
from wave import Medium, ricker, simulate


def main() -> None:
    torch.manual_seed(21)
    n = 48
    true = torch.full((n,), 0.5)
    true[18:30] = 0.62
    source = ricker(72)
    shots = [4, 12, 24, 36]
    with torch.no_grad():
        observed = {s: simulate(Medium(true), source, s) for s in shots}
    Inversion(n, source, observed).run(rounds=70)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
