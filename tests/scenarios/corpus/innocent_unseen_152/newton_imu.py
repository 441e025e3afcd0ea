# gradwatch-corpus: kind=none
"""Calibrates an inertial sensor with damped Newton steps; Hessian products come from autograd."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class NewtonConfig:
    rounds: int = 70
    batch: int = 64
    cg_steps: int = 4
    damping: float = 0.05
    step: float = 0.5


class ImuModel(nn.Module):
    """Scale, misalignment, bias and a mild nonlinearity."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.eye(3))
        self.bias = nn.Parameter(torch.zeros(3))
        self.curve = nn.Parameter(torch.zeros(3))

    def forward(self, raw):
        centred = raw - self.bias
        return centred @ self.scale.T + self.curve * centred.tanh() ** 3


class CurvatureProduct:
    """Multiplies with the damped Hessian of one loss."""

    def __init__(self, loss, params, damping):
        self.params = params
        self.damping = damping
        grads = torch.autograd.grad(loss, params, create_graph=True)
        self.slope = torch.cat([g.flatten() for g in grads])

    def gradient(self):
        return self.slope.detach()

    def __call__(self, v):
        products = torch.autograd.grad(self.slope @ v, self.params, retain_graph=True)
        return torch.cat([p.flatten() for p in products]) + self.damping * v


def conjugate_gradient(product, b, steps):
    x = torch.zeros_like(b)
    r, p = b.clone(), b.clone()
    rr = r @ r
    for _ in range(steps):
        hp = product(p)
        bend = p @ hp
        if bend <= 1e-8:
            break
        alpha = rr / bend
        x = x + alpha * p
        r = r - alpha * hp
        new = r @ r
        p = r + new / rr.clamp_min(1e-20) * p
        rr = new
    return x if x.any() else b


def readings(cfg, seed=170):
    gen = torch.Generator().manual_seed(seed)
    distort = torch.eye(3) + 0.15 * torch.randn(3, 3, generator=gen)
    bias = 0.3 * torch.randn(3, generator=gen)
    while True:
        true = nn.functional.normalize(torch.randn(cfg.batch, 3, generator=gen), dim=1)
        yield true @ distort.T + bias + 0.01 * torch.randn(cfg.batch, 3, generator=gen), true


def newton_step(model, raw, true, cfg):
    params = list(model.parameters())
    loss = nn.functional.mse_loss(model(raw), true)
    product = CurvatureProduct(loss, params, cfg.damping)
    direction = conjugate_gradient(product, product.gradient(), cfg.cg_steps)
    nn.utils.vector_to_parameters(nn.utils.parameters_to_vector(params).detach() - cfg.step * direction, params)
    return loss.item()


def polish(model, optimizer, raw, true):
    """A first-order step in between keeps the bias from lagging."""
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(raw), true)
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(170)
    config = NewtonConfig()
    imu = ImuModel()
    sgd = torch.optim.SGD(imu.parameters(), lr=0.05)
    for number, (raw, true) in zip(range(config.rounds), readings(config)):
        value = newton_step(imu, raw, true, config)
        polish(imu, sgd, raw, true)
        if number % 14 == 13:
            print(f"round {number + 1:2d}  mse {value:.6f}")
