# gradwatch-corpus: kind=graph-chain
# holder: params | state.params
# first-bad: 1
# notice: 5
# Training written as a fold: functools.reduce over batches with an immutable state.
from functools import reduce
from itertools import islice
from typing import Iterator, NamedTuple

import torch
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(4)


class TrainState(NamedTuple):
    params: dict
    velocity: dict
    step: int
    ema: float


net = torch.nn.Sequential(torch.nn.Linear(3, 12), torch.nn.Softplus(), torch.nn.Linear(12, 1))


def init() -> TrainState:
    params = {k: v.detach().clone().requires_grad_() for k, v in net.named_parameters()}
    velocity = {k: torch.zeros_like(v) for k, v in params.items()}
    return TrainState(params, velocity, 0, 0.0)


def batches() -> Iterator[tuple]:
    g = torch.Generator().manual_seed(8)
    while True:
        # permeability, porosity, depth -> log flow
        rock = torch.rand(16, 3, generator=g)
        flow = (rock[:, :1] * 2 - rock[:, 1:2] ** 2 + torch.sin(3 * rock[:, 2:])).detach()
        yield rock, flow


def loss_fn(params, batch):
    rock, flow = batch
    return torch.nn.functional.mse_loss(functional_call(net, params, (rock,)), flow)


def tree_map(fn, *trees):
    return {k: fn(*(t[k] for t in trees)) for k in trees[0]}


def apply_updates(params, velocity, lr):
    return tree_map(lambda p, v: p - lr * v, params, velocity)  # <- culprit


def step(state: TrainState, batch) -> TrainState:
    loss = loss_fn(state.params, batch)
    flat = torch.autograd.grad(loss, tuple(state.params.values()))
    grads = dict(zip(state.params, flat))
    velocity = tree_map(lambda v, g: 0.9 * v + g, state.velocity, grads)
    new = apply_updates(state.params, velocity, lr=0.01)
    n = state.step + 1
    ema = loss.item() if n == 1 else 0.95 * state.ema + 0.05 * loss.item()
    if n % 150 == 0:
        print(f"step {n} ema {ema:.4f}")
    return TrainState(new, velocity, n, ema)


if __name__ == "__main__":
    final = reduce(step, islice(batches(), 600), init())
    print("done", final.step)
