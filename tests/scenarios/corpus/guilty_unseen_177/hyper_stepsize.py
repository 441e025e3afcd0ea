# gradwatch-corpus: kind=graph-chain
# holder: state.weight | state
# first-bad: 1
"""Online tuning of per-coordinate step sizes by hypergradient for a linear
predictor of spectral lines."""
from typing import NamedTuple

import torch
from torch import Tensor

DIM = 12


class LearnerState(NamedTuple):
    weight: Tensor
    seen: int
    best: float


class Spectra:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.truth = torch.randn(DIM, generator=self.gen)
        self.scale = torch.linspace(0.3, 1.5, DIM)

    def draw(self, n):
        x = torch.randn(n, DIM, generator=self.gen) * self.scale
        noise = 0.1 * torch.randn(n, generator=self.gen)
        return x, x @ self.truth + noise

    def drift(self):
        self.truth = self.truth + 0.01 * torch.randn(DIM, generator=self.gen)


def error(weight, x, y):
    return (x.mv(weight) - y).square().mean()


def advance(state: LearnerState, log_rate, x, y):
    loss = error(state.weight, x, y)
    (slope,) = torch.autograd.grad(loss, state.weight, create_graph=True)
    weight = state.weight - log_rate.exp() * slope
    value = loss.item()
    return LearnerState(  # <- culprit
        weight=weight,  # <- culprit
        seen=state.seen + len(y),
        best=min(state.best, value),
    ), value


def tune(opt, log_rate, state, x, y):
    probe = error(state.weight, x, y)
    opt.zero_grad()
    (log_rate.grad,) = torch.autograd.grad(probe, log_rate, retain_graph=True)
    log_rate.grad.clamp_(-1, 1)
    opt.step()
    return probe.item()


def main(iterations=400):
    torch.manual_seed(3)
    world = Spectra(seed=4)
    log_rate = torch.full((DIM,), -3.5, requires_grad=True)
    opt = torch.optim.Adam([log_rate], lr=0.01)
    state = LearnerState(torch.zeros(DIM, requires_grad=True), 0, float("inf"))
    fit = 0.0
    for it in range(iterations):
        state, fit = advance(state, log_rate, *world.draw(16))  # <- culprit
        probe = tune(opt, log_rate, state, *world.draw(16))
        world.drift()
        if it % 50 == 49:
            rates = log_rate.detach().exp()
            print(f"{it + 1} fit {fit:.4f} probe {probe:.4f} best {state.best:.4f} "
                  f"rate {rates.min():.4f}..{rates.max():.4f} seen {state.seen}")


if __name__ == "__main__":
    main()
