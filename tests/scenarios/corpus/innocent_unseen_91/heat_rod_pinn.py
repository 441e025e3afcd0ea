# gradwatch-corpus: kind=none
"""1-D heat equation u_t = a u_xx with unknown diffusivity a (inverse PINN).

Adam first with resampled collocation points, L-BFGS polish at the end.
"""
import math

import torch
from torch import nn

TRUE_A = 0.15


def exact(x, t):
    return torch.exp(-TRUE_A * math.pi ** 2 * t) * torch.sin(math.pi * x)


class PINN(nn.Module):
    def __init__(self, width=20, depth=3):
        super().__init__()
        dims = [2] + [width] * depth + [1]
        self.layers = nn.ModuleList(nn.Linear(i, o) for i, o in zip(dims, dims[1:]))
        self.log_a = nn.Parameter(torch.tensor(math.log(0.5)))
        for lyr in self.layers:
            nn.init.xavier_normal_(lyr.weight)

    def forward(self, x, t):
        h = torch.cat([x, t], dim=1)
        for lyr in self.layers[:-1]:
            h = torch.tanh(lyr(h))
        return self.layers[-1](h)


def d(y, x):
    return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)[0]


def residual(net, x, t):
    x = x.requires_grad_(True)
    t = t.requires_grad_(True)
    u = net(x, t)
    u_x, u_t = d(u, x), d(u, t)
    return u_t - net.log_a.exp() * d(u_x, x)


class Problem:
    def __init__(self, n_sensor=60):
        self.xs, self.ts = torch.rand(n_sensor, 1), torch.rand(n_sensor, 1)
        self.us = exact(self.xs, self.ts) + 0.005 * torch.randn(n_sensor, 1)
        self.resample()

    def resample(self, n=64):
        self.xc, self.tc = torch.rand(n, 1), torch.rand(n, 1)
        self.tb = torch.rand(16, 1)

    def losses(self, net):
        pde = residual(net, self.xc.clone(), self.tc.clone()).square().mean()
        data = (net(self.xs, self.ts) - self.us).square().mean()
        zero, one = torch.zeros_like(self.tb), torch.ones_like(self.tb)
        bc = net(zero, self.tb).square().mean() + net(one, self.tb).square().mean()
        return {"pde": pde, "data": data, "bc": bc}


def rel_error(net):
    with torch.no_grad():
        x, t = torch.rand(500, 1), torch.rand(500, 1)
        ref = exact(x, t)
        return ((net(x, t) - ref).norm() / ref.norm()).item()


def main():
    torch.manual_seed(6)
    torch.set_num_threads(1)
    net, prob = PINN(), Problem()
    weights = {"pde": 1.0, "data": 10.0, "bc": 1.0}
    log = []

    adam = torch.optim.Adam(net.parameters(), lr=5e-3)
    for it in range(400):
        if it % 50 == 0:
            prob.resample()
        terms = prob.losses(net)
        loss = sum(weights[k] * v for k, v in terms.items())
        adam.zero_grad()
        loss.backward()
        adam.step()
        log.append({k: float(v.detach()) for k, v in terms.items()})
        if it % 100 == 0:
            print(f"adam {it:4d} " + " ".join(f"{k} {v:.5f}" for k, v in log[-1].items())
                  + f" a {net.log_a.exp().item():.4f} err {rel_error(net):.4f}")

    prob.resample(128)
    lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=10, history_size=10,
                              line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        loss = sum(weights[k] * v for k, v in prob.losses(net).items())
        loss.backward()
        return loss

    for it in range(8):
        value = lbfgs.step(closure)
        log.append({"total": value.item()})
    print(f"lbfgs total {log[-1]['total']:.6f} a {net.log_a.exp().item():.4f} (true {TRUE_A}) err {rel_error(net):.4f}")


if __name__ == "__main__":
    main()
