# gradwatch-corpus: kind=graph-chain
# holder: state.params | new_state.params | state
# first-bad: 1
"""Tide gauge regression. Ported from our flax/optax notebook."""
import math
from typing import NamedTuple

import torch
import torch.nn as nn
from torch.func import functional_call


class TrainState(NamedTuple):
    step: int
    params: dict
    momentum: dict
    lr: float


class HarmonicMLP(nn.Module):
    def __init__(self, n_harmonics=8, width=48):
        super().__init__()
        self.register_buffer("freqs", torch.linspace(0.5, 6.0, n_harmonics))
        self.fc1 = nn.Linear(2 * n_harmonics, width)
        self.fc2 = nn.Linear(width, width)
        self.head = nn.Linear(width, 1)

    def forward(self, t):
        phase = t[:, None] * self.freqs * 2 * math.pi
        feats = torch.cat([phase.sin(), phase.cos()], dim=-1)
        h = torch.tanh(self.fc1(feats))
        h = torch.tanh(self.fc2(h))
        return self.head(h).squeeze(-1)


def create_train_state(model, lr):
    params = dict(model.named_parameters())
    momentum = {}
    for name, p in params.items():
        momentum[name] = torch.zeros_like(p)
    return TrainState(step=0, params=params, momentum=momentum, lr=lr)


def loss_fn(params, model, batch):
    t, height = batch
    buffers = dict(model.named_buffers())
    pred = functional_call(model, (params, buffers), (t,))
    return torch.nn.functional.huber_loss(pred, height)


def value_and_grad(params, model, batch):
    loss = loss_fn(params, model, batch)
    flat = list(params.values())
    grads = torch.autograd.grad(loss, flat)
    return loss.item(), dict(zip(params.keys(), grads))


def apply_gradients(state, grads, beta=0.9):
    momentum = {}
    params = {}
    for name, g in grads.items():
        momentum[name] = beta * state.momentum[name] + g
        params[name] = state.params[name] - state.lr * momentum[name]  # <- culprit
    return state._replace(step=state.step + 1, params=params, momentum=momentum)


def train_step(state, model, batch):
    loss, grads = value_and_grad(state.params, model, batch)
    new_state = apply_gradients(state, grads)  # <- culprit
    return new_state, {"loss": loss}


def sample_batch(gen, n=128):
    t = torch.rand(n, generator=gen) * 2.0
    height = 1.2 * torch.sin(2 * math.pi * 1.93 * t)
    height = height + 0.4 * torch.sin(2 * math.pi * t + 0.3)
    height = height + 0.05 * torch.randn(n, generator=gen)
    return t, height


def main():
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(5)
    model = HarmonicMLP()
    state = create_train_state(model, lr=0.02)
    for step in range(150):
        batch = sample_batch(gen)
        state, metrics = train_step(state, model, batch)
        if step % 30 == 0:
            print(f"step {state.step:4d}  loss {metrics['loss']:.4f}")
    trained = {k: v.detach() for k, v in state.params.items()}
    model.load_state_dict(trained, strict=False)
    t, height = sample_batch(gen)
    with torch.no_grad():
        err = (model(t) - height).abs().mean()
    print(f"eval mae {err.item():.4f}")


if __name__ == "__main__":
    main()
