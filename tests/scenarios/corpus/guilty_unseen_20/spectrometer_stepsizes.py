# gradwatch-corpus: kind=graph-chain
# holder: state.params | state.params["0.weight"] | params | state | moved | new_params
# first-bad: 1
"""Calibrate a spectrometer response while tuning one step size per weight tensor
by hypergradients; functional style throughout (torch.func), state in, state out."""
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, vmap

CHANNELS = 24
BATCH = 32


class Carry(NamedTuple):
    params: dict
    slow: dict
    step: int


def make_instrument(seed):
    gen = torch.Generator().manual_seed(seed)
    centres = torch.linspace(-1, 1, CHANNELS)
    crosstalk = torch.exp(-((centres[:, None] - centres[None, :]) / 0.12) ** 2)
    crosstalk = crosstalk / crosstalk.sum(1, keepdim=True)

    def measure(n):
        peaks = 2 * torch.rand(n, 1, generator=gen) - 1
        width = 0.1 + 0.2 * torch.rand(n, 1, generator=gen)
        spectrum = torch.exp(-((centres - peaks) / width) ** 2)
        counts = spectrum @ crosstalk.T
        return counts + 0.01 * torch.randn(n, CHANNELS, generator=gen), spectrum

    return measure


def make_loss(model):
    def loss_fn(params, counts, spectrum):
        return F.mse_loss(functional_call(model, params, (counts,)), spectrum)

    return loss_fn


def inner_move(params, grads, log_eta):
    return {k: params[k] - log_eta[k.replace(".", "_")].exp() * grads[k] for k in params}


def average(slow, params, rate=0.02):
    return {k: torch.lerp(slow[k], params[k].detach(), rate) for k in slow}


def make_step(loss_fn, log_eta, outer, measure):
    gradient = grad(loss_fn)

    def step(state):
        params, slow, t = state
        frozen = {k: v.detach() for k, v in params.items()}
        grads = gradient(frozen, *measure(BATCH))
        moved = inner_move(params, grads, log_eta)
        held_out = loss_fn(moved, *measure(BATCH))
        outer.zero_grad()
        held_out.backward(retain_graph=True)  # <- culprit
        outer.step()
        return Carry(moved, average(slow, moved), t + 1), held_out.item()  # <- culprit

    return step


def per_spectrum_error(loss_fn, params, measure, n=64):
    counts, spectrum = measure(n)
    with torch.no_grad():
        return vmap(loss_fn, in_dims=(None, 0, 0))(params, counts, spectrum)


def main(steps=200):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(CHANNELS, 32), nn.Tanh(), nn.Linear(32, CHANNELS))
    measure = make_instrument(seed=77)
    loss_fn = make_loss(model)
    start = {k: v.detach().clone() for k, v in model.named_parameters()}
    log_eta = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(-1.0)) for k in start})
    outer = torch.optim.Adam(log_eta.parameters(), lr=0.02)
    step = make_step(loss_fn, log_eta, outer, measure)

    state = Carry(start, dict(start), 0)
    while state.step < steps:
        state, value = step(state)  # <- culprit
        if state.step % 50 == 1:
            eta = ", ".join(f"{k}={v.exp().item():.3f}" for k, v in log_eta.items())
            print(f"step {state.step:3d}  held-out {value:.5f}  {eta}")

    errors = per_spectrum_error(loss_fn, state.slow, measure)
    print(f"averaged weights: median error {errors.median().item():.5f}, worst {errors.max().item():.5f}")


if __name__ == "__main__":
    main()
