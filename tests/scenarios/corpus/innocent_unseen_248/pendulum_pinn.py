# gradwatch-corpus: kind=none
"""PINN for a damped pendulum, theta'' + b theta' + w^2 sin(theta) = 0, with w unknown (inverse problem).
Loss weights balanced from gradient norms every few epochs (learning rate annealing of Wang et al.)."""
import math

import torch
import torch.nn as nn

torch.manual_seed(6)
torch.set_num_threads(1)

B = 0.2
W_TRUE = 1.7
N_COLL = 128
EPOCHS = 160


def simulate(n=400, t_end=6.0):
    dt = t_end / n
    theta = 1.0
    omega = 0.0
    out = []
    for _ in range(n):
        out.append(theta)
        omega += dt * (-B * omega - W_TRUE ** 2 * math.sin(theta))
        theta += dt * omega
    return torch.linspace(0, t_end, n).view(-1, 1), torch.tensor(out).view(-1, 1)


class FCN(nn.Module):
    def __init__(self, n_hidden=32, n_layers=3):
        super().__init__()
        self.fcs = nn.Sequential(nn.Linear(1, n_hidden), nn.Tanh())
        self.fch = nn.Sequential(*[nn.Sequential(nn.Linear(n_hidden, n_hidden), nn.Tanh()) for _ in range(n_layers - 1)])
        self.fce = nn.Linear(n_hidden, 1)
        self.w = nn.Parameter(torch.tensor(1.0))

    def forward(self, t):
        return self.fce(self.fch(self.fcs(t / 3 - 1)))


def physics_loss(model, t):
    theta = model(t)
    dtheta = torch.autograd.grad(theta, t, torch.ones_like(theta), create_graph=True)[0]
    d2theta = torch.autograd.grad(dtheta, t, torch.ones_like(dtheta), create_graph=True)[0]
    return ((d2theta + B * dtheta + model.w ** 2 * torch.sin(theta)) ** 2).mean()


def grad_stats(loss, params):
    grads = torch.autograd.grad(loss, params, retain_graph=True, allow_unused=True)
    flat = torch.cat([g.reshape(-1).abs() for g in grads if g is not None])
    return flat.max(), flat.mean()


def main():
    t_all, theta_all = simulate()
    idx = torch.arange(0, 300, 12)
    t_data = t_all[idx]
    theta_data = theta_all[idx] + 0.01 * torch.randn(len(idx), 1)

    model = FCN()
    params = [p for n, p in model.named_parameters() if n != "w"]
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    lam = 1.0
    losses = {"data": [], "phys": [], "w": []}

    for epoch in range(EPOCHS):
        optimizer.zero_grad()
        loss_data = ((model(t_data) - theta_data) ** 2).mean()
        t_phys = (6 * torch.rand(N_COLL, 1)).requires_grad_(True)
        loss_phys = physics_loss(model, t_phys)

        if epoch % 10 == 0:
            max_phys, _ = grad_stats(loss_phys, params)
            _, mean_data = grad_stats(loss_data, params)
            lam_hat = (max_phys / (mean_data + 1e-8)).item()
            lam = 0.9 * lam + 0.1 * min(lam_hat, 100.0)

        loss = loss_phys + lam * loss_data
        loss.backward()
        optimizer.step()

        losses["data"].append(loss_data.item())
        losses["phys"].append(loss_phys.item())
        losses["w"].append(model.w.item())
        if epoch % 40 == 0:
            print("epoch %4d  data %.5f  phys %.5f  lam %.2f  w %.3f" % (
                epoch, losses["data"][-1], losses["phys"][-1], lam, losses["w"][-1]))

    with torch.no_grad():
        err = (model(t_all) - theta_all).abs().mean().item()
    print("w = %.3f (true %.3f), mean abs error %.4f" % (losses["w"][-1], W_TRUE, err))


if __name__ == "__main__":
    main()
