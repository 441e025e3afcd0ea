# gradwatch-corpus: kind=second-backward
# holder: anchor | fit | closure.keywords["anchor"] | objective.keywords["anchor"]
# first-bad: 70
"""Physics-informed net for viscous Burgers with unknown viscosity: Adam first, L-BFGS to polish."""
import math
from functools import partial

import torch
from torch import nn

NU_TRUE = 0.05


class Net(nn.Module):
    def __init__(self, width=20, depth=3):
        super().__init__()
        sizes = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.out = nn.Linear(width, 1)
        self.log_nu = nn.Parameter(torch.tensor(math.log(0.2)))
        for lin in [*self.hidden, self.out]:
            nn.init.xavier_normal_(lin.weight)
            nn.init.zeros_(lin.bias)

    def forward(self, xt):
        for lin in self.hidden:
            xt = torch.tanh(lin(xt))
        return self.out(xt)


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def pde_residual(net, n=200):
    x = (2 * torch.rand(n, 1) - 1).requires_grad_()
    t = torch.rand(n, 1).requires_grad_()
    u = net(torch.cat([x, t], 1))
    u_x = d(u, x)
    return (d(u, t) + u * u_x - net.log_nu.exp() * d(u_x, x)).pow(2).mean()


def anchor_misfit(net, pts, vals):
    """Initial and boundary values."""
    return (net(pts) - vals).pow(2).mean()


def anchors(n=60):
    x0 = 2 * torch.rand(n, 1) - 1
    tb = torch.rand(n, 1)
    side = torch.sign(torch.randn(n, 1))
    pts = torch.cat([torch.cat([x0, torch.zeros_like(x0)], 1), torch.cat([side, tb], 1)])
    vals = torch.cat([-torch.sin(math.pi * x0), torch.zeros_like(tb)])
    return pts, vals


def objective(net, opt, weight, anchor=None, data=None):
    opt.zero_grad()
    fit = anchor if anchor is not None else anchor_misfit(net, *data)
    loss = pde_residual(net) + weight * fit
    loss.backward()
    return loss


class Progress:
    def __init__(self, every):
        self.every, self.n = every, 0

    def __call__(self, stage, loss, net):
        self.n += 1
        if self.n % self.every == 0:
            print(f"{stage:6s} {self.n:4d}  loss {float(loss):.5f}  nu {net.log_nu.exp().item():.4f}")


def warm_up(net, data, report, steps=70):
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for _ in range(steps):
        loss = objective(net, opt, 10.0, data=data)
        opt.step()
        report("adam", loss.detach(), net)


def polish(net, data, report, rounds=15):
    opt = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=8, history_size=20)
    for _ in range(rounds):
        anchor = anchor_misfit(net, *data)  # <- culprit
        closure = partial(objective, net, opt, 10.0, anchor=anchor)  # <- culprit
        loss = opt.step(closure)
        report("lbfgs", loss.detach(), net)


def main():
    torch.manual_seed(21)
    net, data, report = Net(), anchors(), Progress(every=10)
    warm_up(net, data, report)
    polish(net, data, report)
    print(f"viscosity: found {net.log_nu.exp().item():.4f}, true {NU_TRUE}")


if __name__ == "__main__":
    main()
