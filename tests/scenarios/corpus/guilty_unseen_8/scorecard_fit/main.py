# gradwatch-corpus: kind=graph-chain
# holder: self.level | calm.level | smoother.level | self.smoother.level | engine.smoother.level
# first-bad: 1
"""Points-based credit scorecard (logistic on binned attributes) with a stability term on the loss level."""
from __future__ import annotations

import torch

from engine import Engine, PrintEvery
from portfolio import LoanBook
from smoothing import LossLevel


def main() -> None:
    torch.manual_seed(68)
    book = LoanBook(attributes=12, bins=8)
    engine = Engine(book.width, smoother=LossLevel(beta=0.9), callbacks=[PrintEvery(60)])
    engine.fit(book.batches(128), steps=300)
    print("points per bin, first attribute:", [round(p, 2) for p in engine.points()[:8]])


if __name__ == "__main__":
    main()
