# gradwatch-corpus: kind=none
"""Inverse PINN: recover the viscosity of a decaying heat profile."""
import copy
import math

import torch
import torch.nn as nn

torch.manual_seed(77)
TRUE_NU = 0.3


class MLP(nn.Module):
    def __init__(self, width=20, depth=3):
        super().__init__()
        sizes = [2] + [width] * depth
        layers = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            layers += [nn.Linear(a, b), nn.Tanh()]
        self.net = nn.Sequential(*layers, nn.Linear(width, 1))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def exact(x, t):
    return torch.sin(math.pi * x) * torch.exp(-TRUE_NU * math.pi ** 2 * t)


class PINN:
    def __init__(self):
        self.model = MLP()
        self.log_nu = nn.Parameter(torch.tensor(0.0))
        self.optimizer = torch.optim.Adam(
            [{"params": self.model.parameters()}, {"params": [self.log_nu], "lr": 5e-3}], lr=2e-3)
        self.x_d = 2 * torch.rand(100, 1) - 1
        self.t_d = torch.rand(100, 1)
        self.u_d = exact(self.x_d, self.t_d) + 0.01 * torch.randn(100, 1)
        self.x_f = 2 * torch.rand(150, 1) - 1
        self.t_f = torch.rand(150, 1)
        self.lam = torch.tensor(1.0)
        self.history = {"data": [], "pde": [], "nu": []}
        self.best_loss = float("inf")
        self.best_state = None

    def net_f(self):
        x = self.x_f.clone().requires_grad_(True)
        t = self.t_f.clone().requires_grad_(True)
        u = self.model(x, t)
        ones = torch.ones_like(u)
        u_t = torch.autograd.grad(u, t, ones, create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, ones, create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, ones, create_graph=True)[0]
        return u_t - self.log_nu.exp() * u_xx

    def update_weight(self, loss_u, loss_f):
        params = [self.model.net[0].weight, self.model.net[2].weight]
        g_u = torch.autograd.grad(loss_u, params, retain_graph=True)
        g_f = torch.autograd.grad(loss_f, params, retain_graph=True)
        ratio = max(g.abs().max() for g in g_f) / (sum(g.abs().mean() for g in g_u) / len(g_u) + 1e-8)
        self.lam = 0.9 * self.lam + 0.1 * ratio.clamp(max=50.0)

    def train(self, n_iter):
        for it in range(n_iter):
            loss_u = (self.model(self.x_d, self.t_d) - self.u_d).pow(2).mean()
            loss_f = self.net_f().pow(2).mean()
            if it % 10 == 0:
                self.update_weight(loss_u, loss_f)
            loss = self.lam * loss_u + loss_f
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

            self.history["data"].append(loss_u.item())
            self.history["pde"].append(loss_f.item())
            self.history["nu"].append(self.log_nu.exp().detach().clone())
            if loss.item() < self.best_loss:
                self.best_loss = loss.item()
                self.best_state = copy.deepcopy(self.model.state_dict())
            if it % 100 == 0:
                print(f"it {it} data {loss_u.item():.3e} pde {loss_f.item():.3e} "
                      f"lam {self.lam.item():.2f} nu {self.history['nu'][-1].item():.4f}")


if __name__ == "__main__":
    pinn = PINN()
    pinn.train(600)
    pinn.model.load_state_dict(pinn.best_state)
    print("true nu", TRUE_NU, "estimated", pinn.history["nu"][-1].item())
