# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from torch import nn, autograd

torch.manual_seed(2)


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, o))


def penalty(critic, real, fake):
    a = torch.rand(len(real), 1)
    mid = (a * real + (1 - a) * fake).requires_grad_()
    g, = autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return (g.norm(dim=1) - 1).square().mean()


G, C = mlp(4, 2), mlp(2, 1)
og = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.0, 0.9))
oc = torch.optim.Adam(C.parameters(), 1e-3, betas=(0.0, 0.9))
curves = {"w": [], "gp": []}
for it in range(250):
    for _ in range(3):
        th = torch.rand(32) * 6.2832
        real = torch.stack([th.cos(), th.sin()], 1)
        fake = G(torch.randn(32, 4)).detach()
        w = C(real).mean() - C(fake).mean()
        gp = penalty(C, real, fake)
        oc.zero_grad()
        (10 * gp - w).backward()
        oc.step()
    og.zero_grad()
    (-C(G(torch.randn(32, 4))).mean()).backward()
    og.step()
    curves["w"].append(w.item())
    curves["gp"].append(gp.detach())
print(curves["w"][-1], torch.stack(curves["gp"]).mean())
