# gradwatch-corpus: kind=none
# about: no backward: vmap(grad) per-sample gradients; a history of tuples of floats grows
"""Differentially private training on clinic records: per-patient gradients by vmap, clipped and noised. No .backward() anywhere."""
import torch
from accountant import Accountant
from clinic import records, poisson_batches
from private import PrivateStep
from torch import nn

torch.manual_seed(50)
net = nn.Sequential(nn.Linear(16, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
x, y = records(4000)
xt, yt = records(1000)
opt = torch.optim.SGD(net.parameters(), lr=.25, momentum=.9)
step = PrivateStep(net, opt, clip=1.0, sigma=1.1)
ledger = Accountant(rate=.02, sigma=1.1)

for n, idx in enumerate(poisson_batches(len(x), .02, 400)):
    share = step(x[idx], y[idx], expected=80)
    ledger.spend()
    if n % 50 == 0:
        with torch.no_grad():
            acc = ((net(xt).squeeze(1) > 0) == (yt > .5)).float().mean()
        print(f"{n:4d} patients {len(idx):3d} clipped {share:.2f} epsilon {ledger.epsilon(1e-4):.3f} accuracy {acc:.3f}")
