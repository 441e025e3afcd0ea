# gradwatch-corpus: kind=graph-chain
# holder: w
# first-bad: 1
import torch
from torch.autograd import grad


def make(n, d, k, s, g):
    w = torch.zeros(d)
    w[:k] = torch.randn(k, generator=g) * 1.5
    X = torch.randn(n, d, generator=g)
    return X, X @ w + s * torch.randn(n, generator=g), w


def g_in(w, lam, X, y):
    r = X @ w - y
    return 0.5 * (r @ r) / len(y) + 0.5 * (torch.exp(lam) * w * w).sum()


def g_out(w, X, y):
    r = X @ w - y
    return 0.5 * (r @ r) / len(y)


def unroll(w, lam, X, y, K, a):
    for _ in range(K):
        gw, = grad(g_in(w, lam, X, y), w, create_graph=True)
        w = w - a * gw
    return w


def main(seed=2, d=24, K=3, a=0.15, T=70):
    g = torch.Generator().manual_seed(seed)
    X, y, w_star = make(60, d, 6, 1.0, g)
    Xtr, ytr, Xva, yva = X[:30], y[:30], X[30:], y[30:]

    lam = torch.full((d,), -3.0, requires_grad=True)
    opt = torch.optim.Adam([lam], lr=0.08)
    w = torch.zeros(d, requires_grad=True)

    rec = []
    for it in range(T):
        w = unroll(w, lam, Xtr, ytr, K, a)  # <- culprit
        L = g_out(w, Xva, yva)
        opt.zero_grad()
        L.backward(retain_graph=True)  # <- culprit
        opt.step()
        rec.append(L.item())
        if it % 10 == 0:
            lm = lam.detach()
            print(f"outer {it:3d}  val {rec[-1]:.4f}  lam(sig) {lm[:6].mean():+.2f}  lam(noise) {lm[6:].mean():+.2f}")

    # compare with the ridge solution of one common lambda
    best = min(
        (g_out(torch.linalg.solve(Xtr.T @ Xtr / 30 + s * torch.eye(d), Xtr.T @ ytr / 30), Xva, yva).item(), s)
        for s in (0.01, 0.03, 0.1, 0.3, 1.0)
    )
    print(f"common ridge: val {best[0]:.4f} at {best[1]}")
    print(f"per-feature : val {min(rec):.4f}   |w - w*| {(w.detach() - w_star).norm():.3f}")


main()
