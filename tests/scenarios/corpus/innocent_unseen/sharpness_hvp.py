# gradwatch-corpus: kind=none
"""Largest Hessian eigenvalue by power iteration, every fifth step; create_graph, and several walks of one graph."""
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector


def sharpness(loss_fn, params, v, iters=3):
    grads = torch.autograd.grad(loss_fn(), params, create_graph=True)
    flat = torch.cat([g.reshape(-1) for g in grads])
    eig = 0.0
    for i in range(iters):
        hv = torch.autograd.grad(flat @ v, params, retain_graph=i < iters - 1)
        hv = torch.cat([h.reshape(-1) for h in hv])
        eig = (hv @ v).item()
        v = hv / (hv.norm() + 1e-9)
    return eig, v


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
params = list(net.parameters())
opt = torch.optim.SGD(params, lr=0.05)
v = torch.randn_like(parameters_to_vector(params).detach())
v /= v.norm()
track = []
for step in range(300):
    x = torch.randn(64, 16)
    y = x[:, :2].prod(1, keepdim=True)
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 5 == 0:
        eig, v = sharpness(lambda: nn.functional.mse_loss(net(x), y), params, v)
        track.append(eig)
    if step % 75 == 0:
        print(step, loss.item(), track[-1])
