# gradwatch-corpus: kind=graph-chain
# holder: state.params | state
# first-bad: 1
"""Band-gap regression on synthetic crystal descriptors, explicit parameter trees."""
from __future__ import annotations

import math
from typing import Dict, NamedTuple

import torch
import torch.nn.functional as F

Params = Dict[str, torch.Tensor]


class TrainState(NamedTuple):
    params: Params
    momentum: Params
    step: int


def glorot(gen: torch.Generator, fan_in: int, fan_out: int) -> torch.Tensor:
    scale = math.sqrt(2.0 / (fan_in + fan_out))
    return torch.randn(fan_in, fan_out, generator=gen) * scale


def init(gen: torch.Generator, dims: list[int]) -> TrainState:
    params: Params = {}
    for i, (a, b) in enumerate(zip(dims[:-1], dims[1:])):
        params[f"w{i}"] = glorot(gen, a, b).requires_grad_()
        params[f"b{i}"] = torch.zeros(b, requires_grad=True)
    momentum = {k: torch.zeros_like(v) for k, v in params.items()}
    return TrainState(params, momentum, 0)


def apply(params: Params, x: torch.Tensor) -> torch.Tensor:
    depth = len(params) // 2
    for i in range(depth):
        x = x @ params[f"w{i}"] + params[f"b{i}"]
        if i < depth - 1:
            x = F.silu(x)
    return x.squeeze(-1)


def loss_fn(params: Params, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return F.huber_loss(apply(params, x), y)


def cosine(step: int, total: int, peak: float) -> float:
    return 0.5 * peak * (1.0 + math.cos(math.pi * step / total))


def train_step(state: TrainState, x: torch.Tensor, y: torch.Tensor, lr: float) -> tuple[TrainState, float]:
    names = list(state.params)
    loss = loss_fn(state.params, x, y)
    grads = torch.autograd.grad(loss, [state.params[n] for n in names])
    momentum = {n: 0.9 * state.momentum[n] + g for n, g in zip(names, grads)}
    params = {n: state.params[n] - lr * momentum[n] for n in names}  # <- culprit
    return TrainState(params, momentum, state.step + 1), loss.item()  # <- culprit


def descriptors(gen: torch.Generator, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.randn(n, 24, generator=gen)
    y = torch.relu(x[:, :6].sum(-1)) + 0.3 * x[:, 7] * x[:, 8]
    return x, y


def main() -> None:
    gen = torch.Generator().manual_seed(17)
    total = 160
    state = init(gen, [24, 64, 64, 1])
    x_val, y_val = descriptors(gen, 256)
    for it in range(total):
        x, y = descriptors(gen, 64)
        state, loss = train_step(state, x, y, cosine(it, total, 0.03))
        if it % 40 == 0:
            with torch.no_grad():
                mae = (apply(state.params, x_val) - y_val).abs().mean().item()
            print(f"step {it:4d} huber {loss:.4f} val_mae {mae:.4f} eV")


if __name__ == "__main__":
    main()
