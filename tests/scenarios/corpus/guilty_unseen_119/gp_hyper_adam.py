# gradwatch-corpus: kind=graph-chain
# holder: th | th['ell'] | th['per'] | th['sf'] | th['sp'] | th['sn'] | th[k] | new[k] | new | v
# first-bad: 1
# notice: 5
"""Type-II maximum likelihood of a GP with a quasi-periodic kernel (CO2-like record).

Everything lives in plain dicts: th (log hyperparameters), mo / ve (Adam moments).
"""
import math
import torch

torch.set_num_threads(1)
torch.manual_seed(0)
torch.set_default_dtype(torch.double)

# ---- data -------------------------------------------------------------------------
n = 60
t = torch.sort(6 * torch.rand(n))[0]
y = 0.4 * t + 0.7 * torch.sin(2 * math.pi * t) + 0.1 * torch.randn(n)
y = (y - y.mean()) / y.std()
D2 = (t[:, None] - t[None, :]) ** 2
D = (t[:, None] - t[None, :]).abs()
EYE = torch.eye(n)


def kernel(th):
    ell = th['ell'].exp()
    per = th['per'].exp()
    sf2 = (2 * th['sf']).exp()
    sp2 = (2 * th['sp']).exp()
    k_long = sf2 * torch.exp(-0.5 * D2 / (4 * ell) ** 2)
    k_seas = sp2 * torch.exp(-2 * torch.sin(math.pi * D / per) ** 2 / ell ** 2)
    return k_long + k_seas


def neg_log_marglik(th, idx):
    K = kernel(th)[idx][:, idx] + ((2 * th['sn']).exp() + 1e-6) * EYE[idx][:, idx]
    Lc = torch.linalg.cholesky(K)
    a = torch.cholesky_solve(y[idx, None], Lc)
    fit = 0.5 * (y[idx, None] * a).sum()
    cmp = torch.log(torch.diagonal(Lc)).sum()
    return (fit + cmp) / len(idx) + 0.5 * math.log(2 * math.pi)


def hyperprior(th):
    # weak Gaussian priors on the logs, centre / sd
    spec = {'ell': (0.0, 1.0), 'per': (0.0, 0.1), 'sf': (0.0, 1.0), 'sp': (-0.5, 1.0), 'sn': (-2.0, 1.0)}
    return sum(0.5 * ((th[k] - c) / s) ** 2 for k, (c, s) in spec.items()) / n


def adam(th, mo, ve, k_it, lr=0.03, b1=0.9, b2=0.98, eps=1e-8):
    """One step; returns the new dict of hyperparameters."""
    new = {}
    for k, v in th.items():
        g = v.grad
        mo[k] = b1 * mo[k] + (1 - b1) * g
        ve[k] = b2 * ve[k] + (1 - b2) * g ** 2
        step = lr * (mo[k] / (1 - b1 ** k_it)) / ((ve[k] / (1 - b2 ** k_it)).sqrt() + eps)
        new[k] = v - step  # <- culprit
        new[k].retain_grad()
    return new


th = {'ell': 0.5, 'per': 0.05, 'sf': 0.0, 'sp': 0.0, 'sn': -1.0}
th = {k: torch.tensor(v, requires_grad=True) for k, v in th.items()}
mo = {k: torch.zeros(()) for k in th}
ve = {k: torch.zeros(()) for k in th}
best = (float('inf'), None)

NIT = 250
for it in range(1, NIT + 1):
    idx = torch.randperm(n)[:40]            # stochastic subset of data
    obj = neg_log_marglik(th, idx) + hyperprior(th)
    obj.backward()
    if obj.item() < best[0]:
        best = (obj.item(), {k: math.exp(v.item()) for k, v in th.items()})
    th = adam(th, mo, ve, it)  # <- culprit
    if it % 50 == 0:
        print('%4d  obj %.4f   ' % (it, obj.item()) + '  '.join('%s %.3f' % (k, math.exp(v.item())) for k, v in th.items()))

print('best', round(best[0], 4), {k: round(v, 3) for k, v in best[1].items()})
