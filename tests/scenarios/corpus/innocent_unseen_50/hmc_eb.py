# gradwatch-corpus: kind=none
"""Empirical Bayes with HMC: E-step by leapfrog on (b, ls), M-step on the prior scale."""
from collections import deque

import torch
from torch.autograd import grad

torch.manual_seed(8)
torch.set_default_dtype(torch.float64)

# data: sparse regression with outliers
N, d = 150, 30
X = torch.randn(N, d)
b0 = torch.randn(d) * (torch.arange(d) < 6)
y = X @ b0 + 0.5 * torch.distributions.StudentT(4.0).sample((N,))


def U(q, lt):
    """negative log joint. q (C, d+1) chains; lt (d,) log prior scales"""
    b, ls = q[:, :d], q[:, d]
    r = (y - torch.einsum("nd,cd->cn", X, b)) * torch.exp(-ls)[:, None]
    ll = -2.5 * torch.log1p(r * r / 4).sum(1) - N * ls
    lp = -0.5 * (b * torch.exp(-lt)).pow(2).sum(1) - lt.sum() - 0.5 * ls**2
    return -(ll + lp)


def dU(q, lt):
    q = q.detach().requires_grad_()
    u = U(q, lt)
    g, = grad(u.sum(), q)
    return u.detach(), g


def hmc(q, lt, eps, L):
    lt = lt.detach()
    p = torch.randn_like(q)
    u, g = dU(q, lt)
    h0 = u + 0.5 * (p * p).sum(1)
    qn = q
    for _ in range(L):
        p = p - 0.5 * eps * g
        qn = qn + eps * p
        un, g = dU(qn, lt)
        p = p - 0.5 * eps * g
    ok = torch.log(torch.rand(len(q))) < h0 - un - 0.5 * (p * p).sum(1)
    return torch.where(ok[:, None], qn, q), ok


C = 8
q = 0.1 * torch.randn(C, d + 1)
lt = torch.zeros(d, requires_grad=True)
opt = torch.optim.RMSprop([lt], lr=0.03)
eps, acc = 0.02, 0.7
keep = deque(maxlen=60)        # for the running posterior
path = []

for it in range(110):
    q, ok = hmc(q, lt, eps, 5)
    acc = 0.95 * acc + 0.05 * ok.double().mean().item()
    eps *= 1.03 if acc > 0.75 else 0.97
    keep.append(q)

    J = U(q, lt).mean() + 2.0 * torch.exp(lt).sum()
    opt.zero_grad()
    J.backward()
    opt.step()
    path.append(lt.detach().clone())
    if it % 25 == 0:
        pm = torch.stack(list(keep)).mean((0, 1))
        print(f"{it:4d}  J {J.item():8.2f}  acc {acc:.2f}  eps {eps:.4f}  |b-b0| {(pm[:d] - b0).norm():.3f}")

S = torch.stack(list(keep)).reshape(-1, d + 1)
tau = torch.stack(path[-50:]).exp().mean(0)
print("tau, active  ", [round(v, 2) for v in tau[:6].tolist()])
print("tau, inactive", round(tau[6:].mean().item(), 3), " sigma", round(S[:, d].exp().mean().item(), 3))
