# gradwatch-corpus: kind=none
"""Temperature of a cooling fin: Adam, multipliers for the boundary values, then L-BFGS."""
import torch

torch.set_num_threads(1)

from fin.net import FinNet
from fin.schedule import AdamPhase, LbfgsPhase
from fin.terms import FinTerms, Multipliers

torch.manual_seed(18)
net = FinNet(14)
terms = FinTerms(biot=1.5, points=24)
mult = Multipliers(2, rho=2.0)
for phase in (AdamPhase(450, 2e-3), LbfgsPhase(12)):
    final = phase.run(net, terms, mult)
    print(type(phase).__name__, round(final, 5), mult.lam.tolist())
