# gradwatch-corpus: kind=none
"""MAML (Finn et al. 2017) on sinusoids with torch.func; learnable per-parameter step sizes."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

torch.manual_seed(17)

K, INNER, META = 10, 2, 8

net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
log_lr = {n: torch.full((), -3.0, requires_grad=True) for n, _ in net.named_parameters()}
opt = torch.optim.Adam([*net.parameters(), *log_lr.values()], lr=2e-3)


def tasks(n):
    amp = 0.1 + 4.9 * torch.rand(n, 1, 1)
    phase = torch.pi * torch.rand(n, 1, 1)
    x = 10 * torch.rand(n, 2 * K, 1) - 5
    y = amp * torch.sin(x + phase)
    return x[:, :K], y[:, :K], x[:, K:], y[:, K:]


def mse(params, x, y):
    return F.mse_loss(functional_call(net, params, (x,)), y)


def adapt(params, x, y):
    for _ in range(INNER):
        g = grad(mse)(params, x, y)
        params = {k: p - log_lr[k].exp() * g[k] for k, p in params.items()}
    return params


def meta_loss(xs, ys, xq, yq):
    params = dict(net.named_parameters())
    fast = adapt(params, xs, ys)
    return mse(fast, xq, yq)


ema = None
best = (float("inf"), None)
for it in range(100):
    batch = tasks(META)
    per_task = vmap(meta_loss)(*batch)
    loss = per_task.mean()

    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
    opt.step()

    l = per_task.detach().median()
    ema = l if ema is None else torch.lerp(ema, l, 0.05)
    if ema.item() < best[0]:
        best = (ema.item(), {k: v.detach().clone() for k, v in net.state_dict().items()})
    if it % 20 == 19:
        rates = {k: round(v.exp().item(), 4) for k, v in list(log_lr.items())[:2]}
        print(it + 1, "post-adaptation %.3f" % ema.item(), rates)

net.load_state_dict(best[1])
xs, ys, xq, yq = tasks(1)
fast = {k: v.detach() for k, v in adapt(dict(net.named_parameters()), xs[0], ys[0]).items()}
print("test", mse(fast, xq[0], yq[0]).item())
