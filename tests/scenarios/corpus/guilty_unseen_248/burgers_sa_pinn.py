# gradwatch-corpus: kind=graph-chain
# holder: lam_f | lam_0
# first-bad: 1
"""
Self-adaptive PINN for the viscous Burgers equation
    u_t + u u_x = nu u_xx,   u(x,0) = -sin(pi x),   u(+-1,t) = 0
"""
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
np.random.seed(0)
torch.set_num_threads(1)

nu = 0.01 / np.pi
N_f = 256
N_0 = 64
EPOCHS = 150

layers = [2, 24, 24, 24, 1]


class PINN(nn.Module):
    def __init__(self, layers):
        super(PINN, self).__init__()
        mods = []
        for i in range(len(layers) - 2):
            mods.append(nn.Linear(layers[i], layers[i + 1]))
            mods.append(nn.Tanh())
        mods.append(nn.Linear(layers[-2], layers[-1]))
        self.net = nn.Sequential(*mods)

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def residual(model, x, t):
    x = x.clone().requires_grad_(True)
    t = t.clone().requires_grad_(True)
    u = model(x, t)
    ones = torch.ones_like(u)
    u_x = torch.autograd.grad(u, x, ones, create_graph=True)[0]
    u_t = torch.autograd.grad(u, t, ones, create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x, x, ones, create_graph=True)[0]
    return u_t + u * u_x - nu * u_xx


# collocation points
x_f = torch.rand(N_f, 1) * 2 - 1
t_f = torch.rand(N_f, 1)
# initial condition
x_0 = torch.linspace(-1, 1, N_0).view(-1, 1)
t_0 = torch.zeros(N_0, 1)
u_0 = -torch.sin(np.pi * x_0)
# boundary
t_b = torch.rand(N_0, 1)
x_b = torch.cat([-torch.ones(N_0 // 2, 1), torch.ones(N_0 // 2, 1)])

model = PINN(layers)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

# one weight per point, raised where the residual is large
lam_f = torch.ones(N_f, 1, requires_grad=True)
lam_0 = torch.full((N_0, 1), 10.0, requires_grad=True)
eta = 0.05

history = {"pde": [], "ic": [], "bc": []}

for epoch in range(EPOCHS):
    optimizer.zero_grad()

    f = residual(model, x_f, t_f)
    e0 = model(x_0, t_0) - u_0
    eb = model(x_b, t_b)

    loss_f = (lam_f * f ** 2).mean()
    loss_0 = (lam_0 * e0 ** 2).mean()
    loss_b = (eb ** 2).mean()
    loss = loss_f + loss_0 + loss_b

    loss.backward()
    optimizer.step()

    lam_f = lam_f + eta * f.detach().abs()  # <- culprit
    lam_0 = lam_0 + eta * e0.detach().abs()  # <- culprit

    history["pde"].append(loss_f.item())
    history["ic"].append(loss_0.item())
    history["bc"].append(loss_b.item())

    if epoch % 30 == 0:
        print("epoch %4d | loss %.5f | pde %.5f | ic %.5f | bc %.5f | lam max %.2f" % (
            epoch, loss.item(), history["pde"][-1], history["ic"][-1], history["bc"][-1], lam_f.max().item()))

with torch.no_grad():
    xs = torch.linspace(-1, 1, 11).view(-1, 1)
    us = model(xs, torch.full_like(xs, 0.25))
print("u(x, 0.25):", np.round(us.view(-1).numpy(), 3))
