# gradwatch-corpus: kind=none
"""Sparse variational GP (Hensman 2013) in one file, mini-batches; trace of hyper-parameters and early stopping copy."""
import math

import torch
import torch.nn as nn
import torch.nn.utils.parametrize as P

torch.manual_seed(2)


class Positive(nn.Module):
    def forward(self, raw):
        return torch.nn.functional.softplus(raw) + 1e-4

    def right_inverse(self, v):
        return (v - 1e-4).expm1().log()


class LowerTri(nn.Module):
    def forward(self, A):
        return A.tril(-1) + torch.diag_embed(A.diagonal(dim1=-2, dim2=-1).exp())


class SVGP(nn.Module):
    def __init__(self, Z):
        super().__init__()
        m = len(Z)
        self.Z = nn.Parameter(Z.clone())
        self.ell = nn.Parameter(torch.ones(Z.size(1)))
        self.amp = nn.Parameter(torch.ones(()))
        self.noise = nn.Parameter(torch.tensor(0.3))
        self.m = nn.Parameter(torch.zeros(m, 1))
        self.S = nn.Parameter(torch.zeros(m, m))
        for name in ("ell", "amp", "noise"):
            P.register_parametrization(self, name, Positive())
        P.register_parametrization(self, "S", LowerTri())

    def k(self, a, b):
        return self.amp * torch.exp(-0.5 * torch.cdist(a / self.ell, b / self.ell).pow(2))

    def elbo(self, x, y, n):
        with P.cached():
            m = len(self.Z)
            L = torch.linalg.cholesky(self.k(self.Z, self.Z) + 1e-4 * torch.eye(m))
            A = torch.linalg.solve_triangular(L, self.k(self.Z, x), upper=False)
            mean = (A.t() @ self.m).squeeze(1)
            SA = self.S.t() @ A
            var = self.amp - A.pow(2).sum(0) + SA.pow(2).sum(0)
            ll = -0.5 * (math.log(2 * math.pi) + self.noise.log() + ((y - mean).pow(2) + var) / self.noise)
            kl = 0.5 * (self.S.pow(2).sum() + self.m.pow(2).sum() - m - 2 * self.S.diagonal().log().sum())
            return ll.sum() * (n / len(x)) - kl


X = torch.rand(600, 2) * 4 - 2
y = torch.sin(2 * X[:, 0]) * torch.cos(X[:, 1]) + 0.1 * torch.randn(600)
model = SVGP(X[torch.randperm(600)[:30]])
opt = torch.optim.Adam(model.parameters(), lr=0.02)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=15)
trace, keep, best = [], None, float("inf")

for it in range(150):
    idx = torch.randint(0, 600, (100,))
    loss = -model.elbo(X[idx], y[idx], 600) / 600
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    opt.step()
    plateau.step(loss.item())
    trace.append([loss.detach(), model.noise.detach().clone(), model.amp.detach(), *model.ell.tolist()])
    if loss < best:
        best = loss.item()
        keep = {k: v.clone() for k, v in model.state_dict().items()}
    if it % 30 == 29:
        print(it + 1, [round(float(v), 3) for v in trace[-1]])

model.load_state_dict(keep)
print("best", best)
