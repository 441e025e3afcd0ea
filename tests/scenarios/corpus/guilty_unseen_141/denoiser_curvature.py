# gradwatch-corpus: kind=graph-held
# holder: sigma_embed.weight.grad | self.sigma_embed.weight.grad | net.sigma_embed.weight.grad | net.sigma_embed.bias.grad | p.grad
# first-bad: 1
# notice: 8
# Small denoiser; the step size follows a Hutchinson estimate of the loss curvature.
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(29)


class Denoiser(nn.Module):
    def __init__(self, dim=8, hid=32):
        super().__init__()
        self.sigma_embed = nn.Linear(2, hid)
        self.inp = nn.Linear(dim, hid)
        self.mid = nn.Linear(hid, hid)
        self.out = nn.Linear(hid, dim)

    def forward(self, x, sigma):
        c = self.sigma_embed(torch.cat([sigma.log(), sigma], 1))
        h = torch.tanh(self.inp(x) + c)
        return x - sigma * self.out(torch.tanh(self.mid(h)))

    def core(self):
        for name in ("inp", "mid", "out"):
            yield from getattr(self, name).parameters()


def spirals(n):
    t = torch.rand(n, 1) * 3 * math.pi
    xy = torch.cat([t.cos(), t.sin()], 1) * t / 9
    return torch.cat([xy, xy.roll(1, 1), xy ** 2, xy.abs()], 1)


def curvature(params):
    grads = [p.grad for p in params]
    probe = [torch.randint(0, 2, g.shape).float() * 2 - 1 for g in grads]
    dot = sum((g * v).sum() for g, v in zip(grads, probe))
    hv = torch.autograd.grad(dot, params)
    return sum((h * v).sum() for h, v in zip(hv, probe)).item()


def fit(net, n_steps=300):
    core = list(net.core())
    opt = torch.optim.SGD(core, lr=0.05)  # <- culprit
    trace = 0.0
    for k in range(n_steps):
        x0 = spirals(16)
        sigma = torch.exp(torch.randn(16, 1) * 0.8 - 1)
        loss = ((net(x0 + sigma * torch.randn_like(x0), sigma) - x0) ** 2 / sigma ** 2).mean()
        opt.zero_grad()  # <- culprit
        loss.backward(create_graph=True)  # <- culprit
        trace = 0.95 * trace + 0.05 * abs(curvature(core))
        for p in core:
            p.grad = p.grad.detach()
        opt.param_groups[0]["lr"] = min(0.05, 2.0 / (1 + trace))
        opt.step()
        if k % 75 == 0:
            print(k, f"{loss.item():.3f} trace~{trace:.1f}")


net = Denoiser()
fit(net)
