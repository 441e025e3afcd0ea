# gradwatch-corpus: kind=none
"""StyleGAN2's lazy regularisation: every 16th step has a larger graph, with create_graph."""
import torch
import torch.nn.functional as F
from torch import nn


def requires_grad(m, flag):
    for p in m.parameters():
        p.requires_grad_(flag)


def d_r1(real_pred, real):
    (g,) = torch.autograd.grad(real_pred.sum(), real, create_graph=True)
    return g.pow(2).reshape(len(g), -1).sum(1).mean()


torch.manual_seed(0)
G = nn.Sequential(nn.Linear(8, 96), nn.LeakyReLU(0.2), nn.Linear(96, 96), nn.LeakyReLU(0.2), nn.Linear(96, 16))
D = nn.Sequential(nn.Linear(16, 96), nn.LeakyReLU(0.2), nn.Linear(96, 96), nn.LeakyReLU(0.2), nn.Linear(96, 1))
g_opt = torch.optim.Adam(G.parameters(), 2e-3, betas=(0.0, 0.99))
d_opt = torch.optim.Adam(D.parameters(), 2e-3, betas=(0.0, 0.99))
mean_path, r1 = 0.0, torch.tensor(0.0)
for i in range(180):
    real = torch.randn(64, 16) @ torch.diag(torch.linspace(0.1, 1, 16))
    requires_grad(G, False), requires_grad(D, True)
    d_loss = F.softplus(-D(real)).mean() + F.softplus(D(G(torch.randn(64, 8)))).mean()
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()
    if i % 16 == 0:
        real.requires_grad_(True)
        pred = D(real)
        r1 = d_r1(pred, real)
        d_opt.zero_grad()
        (5 * r1 * 16 + 0 * pred[0]).sum().backward()
        d_opt.step()
    requires_grad(G, True), requires_grad(D, False)
    g_loss = F.softplus(-D(G(torch.randn(64, 8)))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    if i % 45 == 0:
        print(i, d_loss.item(), g_loss.item(), r1.item())
