# gradwatch-corpus: kind=graph-held
# holder: R | S | getattr(S, name) | R.it0000
# first-bad: 1
"""Burgers' equation, viscous, by a physics-informed network. Translated from burgers_pinn.m (R2021b);
results are kept in a struct with one field per iteration as before."""
import math

import torch


class struct:
    """like MATLAB's struct()"""

    def __init__(self, **kw):
        self.__dict__.update(kw)

    def fieldnames(self):
        return list(self.__dict__)


# ---- parameters -------------------------------------------------------
P = struct(
    nu=0.01 / math.pi,
    nf=128,        # collocation points
    nb=32,         # boundary points
    n0=48,         # initial points
    width=20,
    niter=240,
    lr=4e-3,
    lam=1.0,
)
torch.manual_seed(7)


# ---- network ----------------------------------------------------------
def init_weights(sizes):
    W, b = [], []
    for k in range(len(sizes) - 1):
        s = math.sqrt(2.0 / (sizes[k] + sizes[k + 1]))
        W.append((s * torch.randn(sizes[k], sizes[k + 1])).requires_grad_())
        b.append(torch.zeros(1, sizes[k + 1]).requires_grad_())
    return W, b


def net_u(x, t, W, b):
    H = torch.cat([x, t], 1)
    for k in range(len(W) - 1):
        H = torch.tanh(H @ W[k] + b[k])
    return H @ W[-1] + b[-1]


def gradient(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def net_f(x, t, W, b):
    x.requires_grad_()
    t.requires_grad_()
    u = net_u(x, t, W, b)
    u_t = gradient(u, t)
    u_x = gradient(u, x)
    u_xx = gradient(u_x, x)
    return u_t + u * u_x - P.nu * u_xx


# ---- points -----------------------------------------------------------
def draw():
    xf = 2 * torch.rand(P.nf, 1) - 1
    tf = torch.rand(P.nf, 1)
    x0 = 2 * torch.rand(P.n0, 1) - 1
    tb = torch.rand(P.nb, 1)
    return xf, tf, x0, tb


def objective(W, b):
    xf, tf, x0, tb = draw()
    f = net_f(xf, tf, W, b)
    u0 = net_u(x0, torch.zeros_like(x0), W, b)
    ul = net_u(-torch.ones_like(tb), tb, W, b)
    ur = net_u(torch.ones_like(tb), tb, W, b)
    J = struct()
    J.pde = (f**2).mean()
    J.ic = ((u0 + torch.sin(math.pi * x0)) ** 2).mean()
    J.bc = (ul**2).mean() + (ur**2).mean()
    J.total = P.lam * J.pde + J.ic + J.bc
    return J


def store(S, k, J):
    """S.(sprintf('it%04d', k)) = J"""
    name = "it%04d" % k
    setattr(S, name, J)  # <- culprit
    return name


# ---- main -------------------------------------------------------------
W, b = init_weights([2, P.width, P.width, 1])
theta = W + b
opt = torch.optim.Adam(theta, lr=P.lr)
R = struct()
for k in range(P.niter):
    opt.zero_grad()
    J = objective(W, b)
    # second-order graphs: gradients by hand, so that nothing refers in a circle
    for p, g in zip(theta, torch.autograd.grad(J.total, theta)):
        p.grad = g
    opt.step()
    store(R, k, J)  # <- culprit
    if (k + 1) % 60 == 0:
        print("%5d  J = %9.3e   pde %9.3e   ic %9.3e" % (k + 1, J.total.item(), J.pde.item(), J.ic.item()))

last = R.fieldnames()[-40:]
print("mean of the last 40: %.4e" % (sum(getattr(R, n).total.item() for n in last) / len(last)))
