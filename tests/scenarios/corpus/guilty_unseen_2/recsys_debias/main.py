# gradwatch-corpus: kind=graph-chain
# holder: self.center | model.center
# first-bad: 1
"""Matrix factorisation with popularity centring."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch

from factor import CentredMF
from feed import Interactions
from loop import fit

if __name__ == "__main__":
    torch.manual_seed(42)
    model = CentredMF(n_users=150, n_items=220, k=12)
    fit(model, Interactions(150, 220, seed=3), steps=140)
    print("centre norm", model.center.norm().item())
