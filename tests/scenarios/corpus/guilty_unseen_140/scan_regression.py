# gradwatch-corpus: kind=graph-held
# holder: trajectory | trajectory[-1].objective | state.objective
# first-bad: 1
# notice: 8
"""Purely functional heavy-ball on a soil-moisture regressor: state -> state, scanned over batches."""
from functools import partial
from itertools import accumulate, islice
from typing import NamedTuple
import torch
from torch.utils import _pytree as pytree

torch.set_num_threads(1)
torch.manual_seed(8)


class State(NamedTuple):
    step: int
    weights: dict
    velocity: dict
    objective: torch.Tensor


def init(sizes):
    layers = {}
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        layers[f"w{i}"] = torch.randn(a, b) / a ** 0.5
        layers[f"b{i}"] = torch.zeros(b)
    return State(0, layers, pytree.tree_map(torch.zeros_like, layers), torch.tensor(float("inf")))


def predict(weights, x):
    depth = len(weights) // 2
    for i in range(depth):
        x = x @ weights[f"w{i}"] + weights[f"b{i}"]
        x = torch.tanh(x) if i < depth - 1 else x
    return x.squeeze(-1)


def huber(weights, batch, delta=0.5):
    x, y = batch
    r = (predict(weights, x) - y).abs()
    return torch.where(r < delta, 0.5 * r ** 2, delta * (r - 0.5 * delta)).mean()


def update(state, batch, *, lr, beta):
    leaves = pytree.tree_map(lambda w: w.detach().requires_grad_(), state.weights)
    objective = huber(leaves, batch)
    objective.backward()
    velocity = pytree.tree_map(lambda v, w: beta * v + w.grad, state.velocity, leaves)
    weights = pytree.tree_map(lambda w, v: w.detach() - lr * v, leaves, velocity)
    return State(state.step + 1, weights, velocity, objective)  # <- culprit


def sensor_stream(n=16):
    while True:
        rain, sun, depth = torch.rand(3, n)
        moisture = 0.6 * rain - 0.4 * sun * (1 - depth) + 0.1 * torch.sin(6 * depth)
        yield torch.stack([rain, sun, depth], 1), moisture + 0.02 * torch.randn(n)


trajectory = []
steps = accumulate(islice(sensor_stream(), 500), partial(update, lr=0.05, beta=0.8), initial=init([3, 10, 10, 1]))
for state in steps:
    trajectory.append(state)  # <- culprit
    if state.step % 125 == 0 and state.step:
        print(state.step, f"{state.objective.item():.5f}")

losses = [s.objective.item() for s in trajectory[1:]]
drift = [float((a.weights["w0"] - b.weights["w0"]).norm()) for a, b in zip(trajectory[1:], trajectory)]
print("best", min(losses), "largest move of the first layer", max(drift))
