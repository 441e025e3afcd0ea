# gradwatch-corpus: kind=graph-chain
# holder: params
# first-bad: 1
"""PINN for u'' = -pi^2 sin(pi x), u(0)=u(1)=0, plain gradient descent by hand."""
import math

import torch

torch.manual_seed(1234)


def init_params(layers):
    params = []
    for n_in, n_out in zip(layers[:-1], layers[1:]):
        std = math.sqrt(2.0 / (n_in + n_out))
        W = (std * torch.randn(n_in, n_out)).requires_grad_(True)
        b = torch.zeros(n_out, requires_grad=True)
        params += [W, b]
    return params


def forward(params, x):
    h = x
    n = len(params) // 2
    for i in range(n - 1):
        h = torch.tanh(h @ params[2 * i] + params[2 * i + 1])
    return h @ params[-2] + params[-1]


def residual(params, x):
    x = x.clone().requires_grad_(True)
    u = forward(params, x)
    u_x = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    u_xx = torch.autograd.grad(u_x.sum(), x, create_graph=True)[0]
    f = -math.pi ** 2 * torch.sin(math.pi * x)
    return u_xx - f.detach()


def total_loss(params, x_col, x_bc, u_bc, w_bc=50.0):
    loss_f = residual(params, x_col).pow(2).mean()
    loss_b = (forward(params, x_bc) - u_bc).pow(2).mean()
    return loss_f + w_bc * loss_b, loss_f.item(), loss_b.item()


def relative_error(params):
    x = torch.linspace(0, 1, 101)[:, None]
    with torch.no_grad():
        u = forward(params, x)
    exact = torch.sin(math.pi * x)
    return ((u - exact).norm() / exact.norm()).item()


def main():
    layers = [1, 16, 16, 1]
    lr = 1e-3
    n_iter = 500
    x_bc = torch.tensor([[0.0], [1.0]])
    u_bc = torch.zeros(2, 1)
    params = init_params(layers)
    log = []
    for it in range(n_iter):
        x_col = torch.rand(64, 1)
        loss, lf, lb = total_loss(params, x_col, x_bc, u_bc)
        grads = torch.autograd.grad(loss, params)
        params = [p - lr * g for p, g in zip(params, grads)]  # <- culprit
        if it % 50 == 0:
            err = relative_error(params)
            log.append((it, loss.item(), err))
            print(f"it {it:4d} loss {loss.item():.4e} pde {lf:.3e} bc {lb:.3e} rel err {err:.3e}")
    print("final rel. error:", relative_error(params))


if __name__ == "__main__":
    main()
