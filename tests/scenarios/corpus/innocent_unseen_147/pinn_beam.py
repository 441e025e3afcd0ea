# gradwatch-corpus: kind=none
"""Deflection of a loaded beam, physics-informed fit with a curvature log (notebook `beam_pinn`)."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(37)

# %% model
net = nn.Sequential(nn.Linear(1, 14), nn.Tanh(), nn.Linear(14, 14), nn.Tanh(), nn.Linear(14, 1))
params = list(net.parameters())


def load(x):
    return torch.sin(torch.pi * x)


# %% operators
def d(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


def interior(x):
    w = net(x)
    m = d(d(w, x), x)
    return (d(d(m, x), x) / torch.pi ** 4 - load(x)).pow(2).mean()


def supports():
    e = torch.tensor([[0.0], [1.0]], requires_grad=True)
    w = net(e)
    return w.pow(2).sum() + d(d(w, e), e).pow(2).sum() / 100


def energy(n=16):
    x = torch.rand(n, 1, requires_grad=True)
    return interior(x) + 10 * supports()


def sharpness(iters=3):
    """Largest Hessian eigenvalue by power iteration."""
    g = torch.cat([t.flatten() for t in torch.autograd.grad(energy(), params, create_graph=True, allow_unused=True, materialize_grads=True)])
    v = torch.randn_like(g)
    for _ in range(iters):
        v = v / v.norm()
        hv = torch.autograd.grad(g @ v, params, retain_graph=True, allow_unused=True, materialize_grads=True)
        hv = torch.cat([h.flatten() for h in hv])
        lam, v = (v @ hv).item(), hv
    return lam


# %% training
opt = torch.optim.Adam(params, lr=3e-3)
log = []
for it in range(480):
    opt.zero_grad()
    e = energy()
    e.backward()
    opt.step()
    if it % 40 == 0:
        log.append((it, e.item(), sharpness()))

# %% report
for it, e, lam in log[-4:]:
    print(it, round(e, 4), round(lam, 2))
