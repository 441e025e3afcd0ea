# gradwatch-corpus: kind=graph-held
# holder: self.level | monitor.level | self.monitor.level | controller.level | self.controller.level | inference.controller.level
# first-bad: 1
"""Mean-field Bayesian regression on the heteroscedastic sine from chapter 4, with a small
controller that steers the KL weight towards a target rate (after Shao et al., ControlVAE)."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterator, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn

torch.manual_seed(44)


class HasKL(Protocol):
    def kl(self) -> Tensor: ...


class VariationalLinear(nn.Module):
    def __init__(self, d_in: int, d_out: int, prior_std: float = 1.0):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(d_out, d_in) / math.sqrt(d_in))
        self.rho = nn.Parameter(torch.full((d_out, d_in), -4.0))
        self.bias = nn.Parameter(torch.zeros(d_out))
        self.prior_std = prior_std

    @property
    def std(self) -> Tensor:
        return F.softplus(self.rho)

    def forward(self, x: Tensor) -> Tensor:
        # local reparameterisation
        mean = F.linear(x, self.mu, self.bias)
        var = F.linear(x.square(), self.std.square())
        return mean + var.clamp_min(1e-12).sqrt() * torch.randn_like(mean)

    def kl(self) -> Tensor:
        ratio = (self.std / self.prior_std).square()
        return 0.5 * (ratio + (self.mu / self.prior_std).square() - 1.0 - ratio.log()).sum()


class BayesNet(nn.Module):
    def __init__(self, width: int = 32):
        super().__init__()
        self.layers = nn.ModuleList(
            [VariationalLinear(1, width), VariationalLinear(width, width), VariationalLinear(width, 2)]
        )

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        for layer in self.layers[:-1]:
            x = torch.tanh(layer(x))
        mean, raw = self.layers[-1](x).chunk(2, dim=-1)
        return mean, F.softplus(raw) + 1e-2

    def kl(self) -> Tensor:
        return torch.stack([layer.kl() for layer in self.layers]).sum()


@dataclass
class RateController:
    """Integral controller on log(beta); `level` is the smoothed rate in nats per datum."""

    target: float
    gain: float = 0.02
    smoothing: float = 0.97
    beta: float = 1e-3
    level: Tensor | None = None

    def observe(self, rate: Tensor) -> float:
        if self.level is None:
            self.level = rate  # <- culprit
        else:
            self.level = self.smoothing * self.level + (1.0 - self.smoothing) * rate  # <- culprit
        error = self.level.item() - self.target
        self.beta = min(1.0, max(1e-5, self.beta * math.exp(self.gain * max(-1.0, min(1.0, error)))))
        return self.beta


def stream(n: int, batch: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    g = torch.Generator().manual_seed(seed)
    x = torch.rand(n, 1, generator=g) * 6 - 3
    y = torch.sin(2 * x) + 0.1 * (1 + x.abs()) * torch.randn(n, 1, generator=g)
    while True:
        for idx in torch.randperm(n, generator=g).split(batch):
            yield x[idx], y[idx]


class Inference:
    def __init__(self, net: BayesNet, n_data: int, controller: RateController):
        self.net, self.n_data, self.controller = net, n_data, controller
        self.opt = torch.optim.Adam(net.parameters(), lr=5e-3)

    def negative_elbo(self, x: Tensor, y: Tensor) -> tuple[Tensor, float]:
        mean, std = self.net(x)
        nll = (0.5 * ((y - mean) / std).square() + std.log()).mean()
        rate = self.net.kl() / self.n_data
        beta = self.controller.observe(rate)
        return nll + beta * rate, nll.item()

    def step(self, x: Tensor, y: Tensor) -> float:
        self.opt.zero_grad()
        loss, nll = self.negative_elbo(x, y)
        loss.backward()
        self.opt.step()
        return nll


def main(iterations: int = 400) -> None:
    inference = Inference(BayesNet(), 512, RateController(target=1.5))
    smooth = 0.0
    for it, (x, y) in enumerate(stream(512, 64, seed=9)):
        if it == iterations:
            break
        smooth += 0.05 * (inference.step(x, y) - smooth)
        if it % 80 == 79:
            c = inference.controller
            print(f"it {it + 1:4d}  nll {smooth:+.3f}  rate {c.level.item():.3f}  beta {c.beta:.2e}")


if __name__ == "__main__":
    main()
