# gradwatch-corpus: kind=graph-chain
# holder: params | params[i] | weights
# first-bad: 1
import math

import torch

torch.manual_seed(42)

OMEGA, ZETA = 2.0, 0.15
LAYERS = [1, 24, 24, 1]


def init_params(layers):
    params = []
    for fan_in, fan_out in zip(layers[:-1], layers[1:]):
        bound = math.sqrt(6.0 / (fan_in + fan_out))
        params.append((2 * torch.rand(fan_in, fan_out) - 1).mul_(bound).requires_grad_())
        params.append(torch.zeros(fan_out).requires_grad_())
    return params


def network(params, t):
    h = t
    for i in range(0, len(params) - 2, 2):
        h = torch.tanh(h @ params[i] + params[i + 1])
    return h @ params[-2] + params[-1]


def time_derivatives(params, t):
    t = t.requires_grad_()
    u = network(params, t)
    du, = torch.autograd.grad(u.sum(), t, create_graph=True)
    ddu, = torch.autograd.grad(du.sum(), t, create_graph=True)
    return u, du, ddu


def residual_loss(params, t):
    u, du, ddu = time_derivatives(params, t)
    res = ddu + 2 * ZETA * OMEGA * du + OMEGA ** 2 * u
    return res.pow(2).mean()


def initial_loss(params):
    t0 = torch.zeros(1, 1)
    u, du, _ = time_derivatives(params, t0)
    return (u - 1.0).pow(2).mean() + du.pow(2).mean()


def exact(t):
    wd = OMEGA * math.sqrt(1 - ZETA ** 2)
    return torch.exp(-ZETA * OMEGA * t) * (torch.cos(wd * t) + ZETA * OMEGA / wd * torch.sin(wd * t))


def cosine_lr(step, total, peak):
    return 0.5 * peak * (1 + math.cos(math.pi * step / total))


def train(steps=450, peak_lr=2e-3, lam=20.0):
    params = init_params(LAYERS)
    grid = torch.linspace(0, 3, 100).unsqueeze(1)
    curve = []
    for step in range(steps):
        t = 3 * torch.rand(32, 1)
        loss = 0.1 * residual_loss(params, t) + lam * 0.1 * initial_loss(params)
        grads = torch.autograd.grad(loss, params)
        lr = cosine_lr(step, steps, peak_lr)
        for i, g in enumerate(grads):
            params[i] = params[i] - lr * g  # <- culprit
        curve.append(loss.item())
        if step % 75 == 0:
            with torch.no_grad():
                err = (network(params, grid) - exact(grid)).abs().mean().item()
            print(f"step {step:4d} loss {curve[-1]:.4f} mae {err:.4f}")
    return params, curve


if __name__ == "__main__":
    train()
