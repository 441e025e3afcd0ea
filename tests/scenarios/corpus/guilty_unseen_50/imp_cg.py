# gradwatch-corpus: kind=second-backward
# holder: gw
# first-bad: 15
"""Hyper-parameters by implicit differentiation (inner: penalised Poisson regression)."""
import torch
from torch.autograd import grad


class Cfg:
    d = 20
    n = 80
    n_in = 25          # Newton-ish inner steps
    n_cg = 12
    tol = 1e-3
    lr = 0.15
    T = 90


def inner(w, lam, X, y):
    eta = X @ w
    return (torch.exp(eta) - y * eta).mean() + 0.5 * (torch.exp(lam) * w * w).sum()


def outer(w, X, y):
    eta = X @ w
    return (torch.exp(eta) - y * eta).mean()


def solve(w, lam, X, y, k, a=0.3):
    w = w.detach().clone()
    lam = lam.detach()
    for _ in range(k):
        w.requires_grad_()
        g, = grad(inner(w, lam, X, y), w)
        w = (w - a * g).detach()
    return w


def cg(gw, w, b, n, tol):
    """Solves H v = b with products of the Hessian of the inner problem."""
    v = torch.zeros_like(b)
    r = b.clone()
    p = r.clone()
    rr = r @ r
    b2 = rr.clone()
    for i in range(n):
        Hp, = grad(gw, w, grad_outputs=p, retain_graph=i < n - 1)  # <- culprit
        a = rr / (p @ Hp)
        v = v + a * p
        r = r - a * Hp
        new = r @ r
        if new < tol**2 * b2:
            break
        p = r + new / rr * p
        rr = new
    return v, i + 1


def main(c=Cfg):
    torch.manual_seed(4)
    ws = torch.zeros(c.d)
    ws[:5] = torch.tensor([0.5, -0.4, 0.3, 0.4, -0.5])
    S = torch.diag(torch.linspace(1.2, 0.2, c.d))
    X = torch.randn(2 * c.n, c.d) @ S
    y = torch.poisson(torch.exp(X @ ws))
    Xt, yt, Xv, yv = X[: c.n], y[: c.n], X[c.n:], y[c.n:]

    lam = torch.full((c.d,), 2.0, requires_grad=True)
    opt = torch.optim.SGD([lam], lr=c.lr, momentum=0.8)
    w = torch.zeros(c.d)
    for it in range(c.T):
        w = solve(w, lam, Xt, yt, c.n_in, a=0.8 / (1 + lam.detach().exp().max().item()))
        w.requires_grad_()
        gw, = grad(inner(w, lam, Xt, yt), w, create_graph=True)
        fo = outer(w, Xv, yv)
        b, = grad(fo, w)
        v, k = cg(gw, w, b, c.n_cg, c.tol)
        hg, = grad(gw, lam, grad_outputs=v)
        lam.grad = -hg * c.d
        opt.step()
        if it % 5 == 0:
            print(f"it {it:3d}  val {fo.item():.4f}  cg {k:2d}  lam {lam.min().item():+.2f} .. {lam.max().item():+.2f}")
    print("support:", torch.nonzero(w.detach().abs() > 0.1).flatten().tolist())


if __name__ == "__main__":
    main()
