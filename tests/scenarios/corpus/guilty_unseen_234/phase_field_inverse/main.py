# gradwatch-corpus: kind=graph-held
# holder: self._queue | reporter._queue | inverse.reporter._queue
# first-bad: 1
"""Infer the free-energy coefficients of a binary alloy from two micrographs."""
import torch

from alloy import make_micrographs
from inversion import AlloyInversion
from reporting import DeferredReporter


def main():
    torch.manual_seed(77)
    start, end = make_micrographs(size=20, steps=12, seed=1)
    reporter = DeferredReporter(fields=("misfit", "contrast", "mobility"))
    inverse = AlloyInversion(start, end, steps=12, reporter=reporter)
    for k in range(90):
        inverse.iterate(k)
    table = reporter.flush()
    for row in table[::30]:
        print("  ".join(f"{name}={value:.5f}" for name, value in row.items()))
    print({k: round(v, 3) for k, v in inverse.estimate().items()})


if __name__ == "__main__":
    main()
