# gradwatch-corpus: kind=graph-held
# holder: log | log["f"] | log["u"]
# first-bad: 1
import math

import torch
from torch.autograd import grad


def init(sizes, g):
    P = []
    for m, n in zip(sizes[:-1], sizes[1:]):
        W = torch.randn(m, n, generator=g) * math.sqrt(2.0 / (m + n))
        P += [W.requires_grad_(), torch.zeros(n, requires_grad=True)]
    return P


def u_net(P, x, t):
    h = torch.cat([x, 2 * t - 1], 1)
    for W, b in zip(P[:-2:2], P[1:-2:2]):
        h = torch.tanh(h @ W + b)
    return h @ P[-2] + P[-1]


def residual(P, x, t, nu):
    u = u_net(P, x, t)
    one = torch.ones_like(u)
    ux, ut = grad(u, (x, t), one, create_graph=True)
    uxx, = grad(ux, x, one, create_graph=True)
    return ut + u * ux - nu * uxx


def main():
    g = torch.Generator().manual_seed(0)
    nu = 0.05 / math.pi
    Nf, Nb = 160, 40

    xf = (2 * torch.rand(Nf, 1, generator=g) - 1).requires_grad_()
    tf = torch.rand(Nf, 1, generator=g).requires_grad_()

    x0 = torch.linspace(-1, 1, Nb)[:, None]
    t0 = torch.zeros_like(x0)
    u0 = -torch.sin(math.pi * x0)
    tb = torch.rand(Nb, 1, generator=g)
    xb = torch.cat([-torch.ones(Nb // 2, 1), torch.ones(Nb // 2, 1)])
    xd = torch.cat([x0, xb])
    td = torch.cat([t0, tb])
    ud = torch.cat([u0, torch.zeros(Nb, 1)])

    P = init([2, 16, 16, 1], g)
    opt = torch.optim.LBFGS(P, lr=0.8, max_iter=3, history_size=12)
    log = {"f": [], "u": []}

    def closure():
        opt.zero_grad()
        lf = residual(P, xf, tf, nu).pow(2).mean()
        lu = (u_net(P, xd, td) - ud).pow(2).mean()
        loss = lf + 5 * lu
        loss.backward()
        log["f"].append(lf)  # <- culprit
        log["u"].append(lu)  # <- culprit
        return loss

    for it in range(80):
        opt.step(closure)
        if it % 20 == 0:
            print("it %3d  pde %.3e  data %.3e" % (it, float(log["f"][-1]), float(log["u"][-1])))

    n = len(log["f"])
    half = sum(float(v) for v in log["f"][n // 2:]) / (n - n // 2)
    print("evals", n, " mean pde residual, last half: %.3e" % half)
    with torch.no_grad():
        xs = torch.linspace(-1, 1, 9)[:, None]
        us = u_net(P, xs, torch.full_like(xs, 0.5)).squeeze()
    print("u(x, .5) =", " ".join("%+.2f" % v for v in us.tolist()))


if __name__ == "__main__":
    main()
