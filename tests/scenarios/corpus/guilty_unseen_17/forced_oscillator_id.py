# gradwatch-corpus: kind=graph-chain
# holder: ident.assimilator.state | self.state | assimilator.state | self.state[0] | self.state[1] | x | v
# first-bad: 1
"""Identification of stiffness and damping of a forced Duffing oscillator from noisy
position data (sequential windows). Companion code of chapter 4 of the thesis."""
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)

DT = 0.08
SUBSTEPS = 2
OMEGA = 1.3
FORCE = 0.5


class Duffing(nn.Module):
    """x'' = -k x - b x^3 - c x' + F cos(w t), parameters in log space so that they stay positive."""

    def __init__(self, k, c, b):
        super().__init__()
        self.log_k = nn.Parameter(torch.tensor(math.log(k)))
        self.log_c = nn.Parameter(torch.tensor(math.log(c)))
        self.log_b = nn.Parameter(torch.tensor(math.log(b)))

    def coefficients(self):
        return self.log_k.exp(), self.log_c.exp(), self.log_b.exp()

    @staticmethod
    def acceleration(t, x, v, coeff):
        k, c, b = coeff
        return FORCE * math.cos(OMEGA * t) - k * x - c * v - b * x ** 3


def symplectic_euler(field, t, x, v, n, dt, coeff):
    for i in range(n):
        v = v + dt * field(t + i * dt, x, v, coeff)
        x = x + dt * v
    return t + n * dt, x, v


@torch.no_grad()
def simulate(truth, n_windows, noise, gen):
    """The reference trajectory, one observation at the end of each window."""
    coeff = truth.coefficients()
    t, x, v = 0.0, torch.tensor([1.0, -0.5, 0.2]), torch.zeros(3)
    for _ in range(n_windows):
        t, x, v = symplectic_euler(truth.acceleration, t, x, v, SUBSTEPS, DT, coeff)
        yield x + noise * torch.randn(3, generator=gen), v + noise * torch.randn(3, generator=gen)


class Assimilator:
    """Runs the model beside the data, and nudges its state towards the observations after each window."""

    def __init__(self, model, gain=0.3):
        self.model = model
        self.gain = gain
        self.time = 0.0
        self.state = (torch.tensor([1.0, -0.5, 0.2]), torch.zeros(3))

    def forecast(self):
        x, v = self.state
        coeff = self.model.coefficients()
        self.time, x, v = symplectic_euler(self.model.acceleration, self.time, x, v, SUBSTEPS, DT, coeff)
        return x, v

    def analyse(self, x, v, obs):
        x_obs, v_obs = obs
        self.state = (x + self.gain * (x_obs - x), v + self.gain * (v_obs - v))  # <- culprit

    def cost(self, x, v, obs):
        x_obs, v_obs = obs
        return ((x - x_obs) ** 2).mean() + 0.2 * ((v - v_obs) ** 2).mean()


class Identification:
    def __init__(self, model, lr):
        self.model = model
        self.assimilator = Assimilator(model)
        self.opt = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.9, 0.98))
        self.cost_trace = []

    def window(self, obs):
        x, v = self.assimilator.forecast()
        cost = self.assimilator.cost(x, v, obs)
        self.opt.zero_grad()
        cost.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.assimilator.analyse(x, v, obs)
        self.cost_trace.append(cost.item())

    def report(self, i):
        k, c, b = (p.item() for p in self.model.coefficients())
        recent = self.cost_trace[-40:]
        print(f"window {i:4d}  cost {sum(recent) / len(recent):.3e}  k {k:.3f}  c {c:.3f}  b {b:.3f}")


def main(n_windows=210):
    gen = torch.Generator().manual_seed(11)
    truth = Duffing(k=2.0, c=0.15, b=0.4)
    ident = Identification(Duffing(k=1.2, c=0.3, b=0.2), lr=1e-2)
    for i, obs in enumerate(simulate(truth, n_windows, 0.01, gen)):
        ident.window(obs)
        if i % 42 == 41:
            ident.report(i + 1)


if __name__ == "__main__":
    main()
