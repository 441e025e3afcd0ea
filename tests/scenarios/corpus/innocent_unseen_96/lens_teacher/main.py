# gradwatch-corpus: kind=none
"""Lens-distortion regression with a slow centre, an activation peek and a list of odd batches."""
import torch

from loop import Loop
from watch import Peek, Tolerate

torch.set_num_threads(1)
torch.manual_seed(1704)

if __name__ == "__main__":
    peek, tolerate = Peek(), Tolerate(ArithmeticError)
    loop = Loop(dim=8, width=12, peek=peek, tolerate=tolerate)
    loop.run(360)
    print(f"{len(tolerate.seen)} odd batches, first: {tolerate.seen[0]!r}; {len(peek)} activations alive of {peek.count}")
