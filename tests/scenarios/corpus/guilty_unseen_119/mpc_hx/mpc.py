import torch
from torch.func import jacrev
from model import predict


def _residual(U, fz, x0, off, ref):
    x = x0
    out = []
    for j in range(U.shape[0]):
        x = predict(fz, x, U[j]) + off
        out.append(x[:1] - ref)
    return torch.cat(out + [0.1 * U.flatten()])


def solve_mpc(par, x0, off, U, ref, sweeps=2):
    fz = par.frozen()
    for _ in range(sweeps):
        r = _residual(U, fz, x0, off, ref)
        Jc = jacrev(_residual)(U, fz, x0, off, ref).flatten(1)
        A = Jc.T @ Jc + 1e-3 * torch.eye(U.numel())
        U = (U - torch.linalg.solve(A, Jc.T @ r).reshape(U.shape)).clamp(-0.5, 1.0)
    return U
