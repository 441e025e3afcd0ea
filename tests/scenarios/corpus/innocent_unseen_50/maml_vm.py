# gradwatch-corpus: kind=none
"""MAML on 1-d Gaussians mixtures' log densities, tasks batched by vmap."""
import torch
from torch.func import functional_call, grad, vmap

torch.manual_seed(21)


class Net(torch.nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.i = torch.nn.Linear(1, h)
        self.m = torch.nn.Linear(h, h)
        self.o = torch.nn.Linear(h, 1)

    def forward(self, x):
        return self.o(torch.tanh(self.m(torch.tanh(self.i(x)))))


f = Net()
th = dict(f.named_parameters())
la = {k: torch.full((), -3.5, requires_grad=True) for k in th}     # per-tensor log step
opt = torch.optim.Adam([{"params": th.values()}, {"params": la.values(), "lr": 1e-2}], lr=2e-3)


def mse(p, x, y):
    return (functional_call(f, p, (x,)) - y).pow(2).mean()


def inner(th, la, x, y, K=2):
    p, tr = th, []
    for _ in range(K):
        g = grad(mse)(p, x, y)
        p = {k: p[k] - torch.exp(la[k]) * g[k] for k in p}
        tr.append(p)
    return p, tr


def task(th, la, xs, ys, xq, yq):
    p, tr = inner(th, la, xs, ys)
    # multi-step loss
    w = torch.tensor([0.3, 0.7])
    return sum(wk * mse(pk, xq, yq) for wk, pk in zip(w, tr))


def draw(B, n):
    m = 4 * torch.rand(B, 2, 1) - 2
    s = 0.4 + 0.6 * torch.rand(B, 2, 1)
    x = 6 * torch.rand(B, n, 1) - 3
    q = -0.5 * ((x[:, None, :, 0] - m) / s) ** 2 - torch.log(s)
    return x, torch.logsumexp(q, 1)[..., None].clamp(min=-6) / 3


meta = vmap(task, in_dims=(None, None, 0, 0, 0, 0))
curve, best, p_best = [], float("inf"), None

for it in range(90):
    x, y = draw(12, 24)
    L = meta(th, la, x[:, :10], y[:, :10], x[:, 10:], y[:, 10:])
    loss = L.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append(L.detach())
    if loss.item() < best:
        best = loss.item()
        p_best = {k: v.detach().clone() for k, v in th.items()}
    if it % 20 == 0:
        C = torch.stack(curve[-20:])
        print(f"{it:4d} meta {C.mean():.4f} +- {C.mean(0).std():.4f}  steps", [round(v.exp().item(), 3) for v in la.values()])

with torch.no_grad():
    x, y = draw(20, 60)
    e0 = vmap(mse, (None, 0, 0))(p_best, x[:, 10:], y[:, 10:]).mean()
    pa = vmap(lambda a, b: inner(p_best, la, a, b)[0])(x[:, :10], y[:, :10])
    e1 = vmap(mse)(pa, x[:, 10:], y[:, 10:]).mean()
print(f"best meta {best:.4f}; test before {e0:.4f} after {e1:.4f}")
