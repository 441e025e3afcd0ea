# gradwatch-corpus: kind=none
"""Paired-preference tasting model with tuned shrinkage: python -m tasting_room"""
import torch

from . import terms  # noqa: F401
from .cellar import Cellar
from .registry import make
from .tuner import Spoiled, Tuner

torch.set_num_threads(1)

TERMS = ["ridge", "smooth_tasters", "entropy"]


def main(rounds=180):
    torch.manual_seed(1855)
    cellar = Cellar(wines=40, tasters=8, dims=5)
    tuner = Tuner(cellar, [make("term", t) for t in TERMS], inner=4)
    spoiled = []
    for r in range(rounds):
        try:
            tuner.round(r)
        except Spoiled as flaw:
            spoiled.append(flaw.with_traceback(None))
        if r % 45 == 0:
            print(f"round {r:3d} outer {tuner.trace[-1]:.4f} strengths {tuner.strengths()}")
    print(f"{len(spoiled)} flights spoiled, first at round {spoiled[0].round if spoiled else '-'}")
    print(f"agreement {tuner.agreement():.3f}")


if __name__ == "__main__":
    main()
