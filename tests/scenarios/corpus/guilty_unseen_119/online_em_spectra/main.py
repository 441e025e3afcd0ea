# gradwatch-corpus: kind=graph-chain
# holder: self.S | acc.S | S | self.S[k] | acc.S['n'] | acc.S['x'] | acc.S['xx']
# first-bad: 41
# notice: 5
"""Stochastic EM for a mixture of spectral line shapes with an amortised E-step.

The responsibilities come from a small recogniser; sufficient statistics are blended over
batches (Cappe & Moulines) once the burn-in has passed, and the recogniser is fitted on the
expected complete-data log likelihood evaluated at the blended M-step.
"""
import numpy as np
import torch
from torch.func import functional_call

from data import lines
from stats import SuffStats, mstep, expected_ll
from recog import Recogniser

torch.set_num_threads(1)
torch.manual_seed(5)
np.random.seed(5)

cfg = dict(K=3, batch=64, n_iter=180, burn_in=40, lr=0.05, gamma=0.6)

X = lines(4000)
net = Recogniser(X.shape[1], cfg['K'])
theta = {k: v.detach().clone().requires_grad_() for k, v in net.named_parameters()}
vel = {k: torch.zeros_like(v) for k, v in theta.items()}
acc = SuffStats(cfg['K'], X.shape[1], cfg['gamma'], cfg['burn_in'])

log = np.full((cfg['n_iter'], 2), np.nan)
for it in range(cfg['n_iter']):
    xb = X[torch.randint(len(X), (cfg['batch'],))]
    R = torch.softmax(functional_call(net, theta, (xb,)), dim=1)
    S = acc.blend(it, R, xb)
    pi, mu, var = mstep(S)
    ent = -(R * (R + 1e-9).log()).sum(1).mean()
    ll = expected_ll(xb, R, pi, mu, var)
    free_energy = -(ll + ent)

    g = torch.autograd.grad(free_energy, list(theta.values()), retain_graph=True)  # <- culprit
    for (k, v), gk in zip(theta.items(), g):
        vel[k] = 0.9 * vel[k] + gk
        v.data -= cfg['lr'] * vel[k]
    log[it] = free_energy.item(), ent.item()
    if it % 45 == 0:
        print(it, 'F %.3f  H(R) %.3f' % tuple(log[it]), ' mu0', mu[:, 0].detach().numpy().round(2))

print('final F (mean of 30): %.3f' % log[-30:, 0].mean())
