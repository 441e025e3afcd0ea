# gradwatch-corpus: kind=none
"""Inverse heat conduction: unknown diffusivity profile from sensor traces.

PINN with a first-order-in-gradient penalty (double backward), gradient-norm term weights and
a self-adaptive mask (ascent) on the residual points.
"""
import numpy as np
import torch

from fields import Temperature, Diffusivity
from operators import heat_residual, grad_penalty
from weights import TermWeights, PointMask

torch.set_num_threads(1)
torch.manual_seed(31)

NF, NS, ITERS = 48, 16, 300
T = Temperature()
D = Diffusivity()
params = list(T.parameters()) + list(D.parameters())
opt = torch.optim.Adam(params, lr=3e-3)
tw = TermWeights(('data', 'pde', 'grad'))
mask = PointMask(NF, lr=0.05)

xt = torch.rand(NF, 2)
sensors = torch.cat([torch.linspace(0.1, 0.9, NS)[torch.randperm(NS)][:, None], torch.rand(NS, 1)], 1)


def exact(z):
    return torch.sin(np.pi * z[:, :1]) * torch.exp(-0.5 * z[:, 1:])


run = dict(loss=[], weights=[], terms={})
for it in range(ITERS):
    z = xt.clone().requires_grad_(True)
    res, Tx = heat_residual(T, D, z)
    run['terms'] = {
        'data': (T(sensors) - exact(sensors)).pow(2).mean(),
        'pde': mask.apply(res).pow(2).mean(),
        'grad': 1e-2 * grad_penalty(res, z),
    }
    if it % 20 == 0:
        tw.update(run['terms'], params)
    loss = tw(run['terms'])
    opt.zero_grad()
    loss.backward()
    opt.step()
    mask.ascend()
    run['loss'].append(loss.detach())
    run['weights'].append(dict(tw.w))
    if it % 75 == 74:
        with torch.no_grad():
            kap = D(torch.tensor([[0.25], [0.5], [0.75]])).flatten().numpy().round(4)
        print(it + 1, 'loss %.5f' % torch.stack(run['loss'][-20:]).mean().item(), 'kappa', kap,
              {k: round(v, 2) for k, v in tw.w.items()}, 'mask max %.2f' % mask.value().max().item())
