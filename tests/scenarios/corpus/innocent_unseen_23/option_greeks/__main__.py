# gradwatch-corpus: kind=none
from __future__ import annotations

import torch

from .fitting import FitReport, SurrogateFitter
from .market import ContractSampler
from .surrogate import PriceSurrogate


def main(steps: int = 240) -> None:
    torch.manual_seed(6)
    fitter = SurrogateFitter(PriceSurrogate(width=64), keep=12)
    sampler = ContractSampler(seed=6)
    for step in range(steps):
        report: FitReport = fitter.fit(sampler.draw(192))
        if step % 40 == 0:
            print(f"step {step:3d} price {report.price_error:.5f} delta {report.delta_error:.5f} "
                  f"pde {report.pde_error:.5f} cosine {report.cosine:+.2f}")
    best = fitter.best
    print(f"best of the last {len(fitter.recent)}: {best.price_error:.5f}")


if __name__ == "__main__":
    main()
