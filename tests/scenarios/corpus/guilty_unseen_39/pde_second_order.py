# gradwatch-corpus: kind=graph-held
# holder: opt.state | self.state | st["m"] | state["m"] | self.state[p]["m"] | opt.state[p]["m"]
# first-bad: 1
"""Boundary value problem u'' = f on [0, 1] with a diagonal second order optimizer."""
import math

import torch
from torch import nn
from torch.optim import Optimizer


class DiagNewton(Optimizer):
    """Hutchinson estimate of the Hessian diagonal, Adam-like smoothing."""

    def __init__(self, params, lr=0.05, betas=(0.9, 0.99), eps=1e-3, clip=0.05):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, clip=clip))

    def hutchinson(self, params):
        grads = [p.grad for p in params]
        zs = [torch.randint_like(p, 0, 2) * 2 - 1 for p in params]
        hz = torch.autograd.grad(grads, params, grad_outputs=zs)
        return [h * z for h, z in zip(hz, zs)]

    def step(self, closure=None):
        for group in self.param_groups:
            params = [p for p in group["params"] if p.grad is not None]
            b1, b2 = group["betas"]
            for p, d in zip(params, self.hutchinson(params)):
                st = self.state[p]
                if not st:
                    st["t"] = 0
                    st["m"] = torch.zeros_like(p.data)
                    st["h"] = torch.zeros_like(p.data)
                st["t"] += 1
                st["m"] = b1 * st["m"] + (1 - b1) * p.grad  # <- culprit
                st["h"] = b2 * st["h"] + (1 - b2) * d.abs()
                m_hat = st["m"].data / (1 - b1 ** st["t"])
                h_hat = st["h"].data / (1 - b2 ** st["t"])
                update = (m_hat / (h_hat + group["eps"])).clamp(-group["clip"], group["clip"])
                p.data.add_(update, alpha=-group["lr"])


class Net(nn.Module):
    def __init__(self, n=20):
        super().__init__()
        self.l1 = nn.Linear(1, n)
        self.l2 = nn.Linear(n, n)
        self.l3 = nn.Linear(n, 1)

    def forward(self, x):
        h = torch.tanh(self.l1(x))
        h = torch.tanh(self.l2(h))
        return x * (1 - x) * self.l3(h)


def residual(net, x):
    x = x.requires_grad_(True)
    u = net(x)
    du, = torch.autograd.grad(u.sum(), x, create_graph=True)
    d2u, = torch.autograd.grad(du.sum(), x, create_graph=True)
    return d2u + math.pi ** 2 * torch.sin(math.pi * x)


def train(net, opt, n_iter=100, n_points=64):
    log = []
    weights = list(net.parameters())
    for i in range(n_iter):
        opt.zero_grad()
        loss = residual(net, torch.rand(n_points, 1)).pow(2).mean()
        for p, g in zip(weights, torch.autograd.grad(loss, weights, create_graph=True)):
            p.grad = g
        opt.step()
        log.append(loss.item())
        if i % 20 == 0:
            with torch.no_grad():
                g = torch.linspace(0, 1, 101).unsqueeze(1)
                err = (net(g) - torch.sin(math.pi * g)).abs().max().item()
            print("iter %3d  residual %.4f  max error %.4f" % (i, log[-1], err))
    return log


if __name__ == "__main__":
    torch.manual_seed(5)
    net = Net()
    opt = DiagNewton(net.parameters(), lr=0.5)
    log = train(net, opt)
    print("best residual: %.4f" % min(log))
