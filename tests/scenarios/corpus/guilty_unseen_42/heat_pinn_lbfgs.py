# gradwatch-corpus: kind=second-backward
# holder: u_ic | u_bc
# first-bad: 0
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class PINN(nn.Module):
    def __init__(self, layers):
        super().__init__()
        mods = []
        for a, b in zip(layers[:-2], layers[1:-1]):
            mods += [nn.Linear(a, b), nn.Tanh()]
        mods.append(nn.Linear(layers[-2], layers[-1]))
        self.net = nn.Sequential(*mods)

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def pde_residual(model, x, t, alpha):
    u = model(x, t)
    u_t = grad(u, t)
    u_x = grad(u, x)
    u_xx = grad(u_x, x)
    return u_t - alpha * u_xx


def sample_points(n_f, n_b):
    x_f = torch.rand(n_f, 1, requires_grad=True)
    t_f = torch.rand(n_f, 1, requires_grad=True)
    x_i = torch.rand(n_b, 1)
    t_b = torch.rand(n_b, 1)
    x_b = torch.randint(0, 2, (n_b, 1)).to(t_b.dtype)
    return x_f, t_f, x_i, t_b, x_b


def train(model, rounds=12, alpha=0.1):
    opt = torch.optim.LBFGS(model.parameters(), lr=1.0, max_iter=8, history_size=20,
                            line_search_fn="strong_wolfe")
    mse = nn.MSELoss()
    for r in range(rounds):
        x_f, t_f, x_i, t_b, x_b = sample_points(200, 60)
        target_ic = torch.sin(math.pi * x_i)
        u_ic = model(x_i, torch.zeros_like(x_i))  # <- culprit
        u_bc = model(x_b, t_b)  # <- culprit

        def closure():
            opt.zero_grad()
            res = pde_residual(model, x_f, t_f, alpha)
            loss_f = res.pow(2).mean()
            loss_ic = mse(u_ic, target_ic)  # <- culprit
            loss_bc = mse(u_bc, torch.zeros_like(u_bc))  # <- culprit
            loss = loss_f + 10 * loss_ic + loss_bc
            loss.backward()
            return loss

        loss = opt.step(closure)
        print(f"round {r}: loss {float(loss):.3e}")


def relative_error(model, alpha=0.1):
    xs = torch.linspace(0, 1, 50).unsqueeze(1)
    ts = torch.full_like(xs, 0.5)
    exact = torch.sin(math.pi * xs) * math.exp(-alpha * math.pi ** 2 * 0.5)
    with torch.no_grad():
        return ((model(xs, ts) - exact).norm() / exact.norm()).item()


if __name__ == "__main__":
    torch.manual_seed(1234)
    net = PINN([2, 20, 20, 1])
    train(net)
    print("rel. L2 error at t=0.5:", relative_error(net))
