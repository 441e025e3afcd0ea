# gradwatch-corpus: kind=second-backward
# holder: terms | terms['pde'] | terms['bc'] | terms['ic'] | term
# first-bad: 50
# notice: 0
# Burgers' equation, PINN with gradient-norm balanced loss terms (weights refreshed now and then).
import math
import torch

from net import Field
from physics import residual
from balance import GradNormWeights

torch.set_num_threads(1)
torch.manual_seed(13)

P = {'nu': 0.02 / math.pi, 'n_f': 96, 'n_b': 24, 'n_i': 32, 'iters': 400, 'refresh': 50}

u = Field(width=20, depth=3)
opt = torch.optim.Adam(u.parameters(), lr=2e-3)
W = GradNormWeights(['pde', 'bc', 'ic'], list(u.parameters()), momentum=0.8)


def collocation():
    x = 2 * torch.rand(P['n_f'], 1) - 1
    t = torch.rand(P['n_f'], 1)
    return x.requires_grad_(), t.requires_grad_()


def boundary():
    t = torch.rand(P['n_b'], 1)
    s = torch.sign(torch.rand(P['n_b'], 1) - 0.5)
    return s, t


def initial():
    x = 2 * torch.rand(P['n_i'], 1) - 1
    return x, torch.zeros_like(x), -torch.sin(math.pi * x)


def loss_terms():
    x, t = collocation()
    xb, tb = boundary()
    xi, ti, ui = initial()
    return {
        'pde': residual(u, x, t, P['nu']).pow(2).mean(),
        'bc': u(xb, tb).pow(2).mean(),
        'ic': (u(xi, ti) - ui).pow(2).mean(),
    }


history = {k: [] for k in ('pde', 'bc', 'ic')}
for it in range(P['iters']):
    terms = loss_terms()
    if it > 0 and it % P['refresh'] == 0:
        W.refresh(terms)
    total = W.combine(terms)
    opt.zero_grad()
    total.backward()
    opt.step()
    for k, v in terms.items():
        history[k].append(v.item())
    if it % 25 == 0:
        print(it, {k: round(v[-1], 4) for k, v in history.items()}, {k: round(w, 2) for k, w in W.w.items()})
