"""Ordinary trainings, each with an optimizer."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from jobs import ITERATIONS, job, mlp, numbers
from torch import nn
from torch.nn import functional as F  # noqa: N812


@job
def mlp_with_adam():
    model = mlp()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(ITERATIONS):
        loss = model(torch.randn(4, 8)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss
        yield from numbers(model)


@job
def conv_net_with_momentum():
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(36, 3),
    )  # fmt: skip
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(ITERATIONS):
        loss = F.cross_entropy(model(torch.randn(4, 1, 8, 8)), torch.randint(3, (4,)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss
        yield from numbers(model)


@job
def transformer():
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    model = nn.Sequential(nn.Embedding(10, 16), nn.TransformerEncoder(layer, 2), nn.Linear(16, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(ITERATIONS):
        tokens = torch.randint(10, (2, 6))
        loss = F.cross_entropy(model(tokens).flatten(0, 1), tokens.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        yield loss
        yield from numbers(model)


@job
def lstm_with_truncated_backpropagation():
    lstm, state = nn.LSTM(4, 8), None
    optimizer = torch.optim.SGD(lstm.parameters(), lr=0.1)
    for _ in range(ITERATIONS):
        out, state = lstm(torch.randn(5, 2, 4), state)
        out.pow(2).mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=False)
        state = tuple(part.detach() for part in state)
        yield from state
        yield from numbers(lstm)


@job
def gan_with_two_optimizers():
    generator, critic = nn.Linear(4, 8), mlp()
    optimizers = [torch.optim.Adam(m.parameters(), lr=1e-2) for m in (generator, critic)]
    for _ in range(ITERATIONS):
        fake = generator(torch.randn(4, 4))
        optimizers[1].zero_grad()
        (critic(fake.detach()).mean() - critic(torch.randn(4, 8)).mean()).backward()
        optimizers[1].step()
        optimizers[0].zero_grad()
        (-critic(fake).mean()).backward()
        optimizers[0].step()
        yield from numbers(generator)
        yield from numbers(critic)


@job
def lbfgs():
    model, x = mlp().eval(), torch.randn(16, 8)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=5)

    def closure():
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        return loss

    for _ in range(ITERATIONS):
        yield optimizer.step(closure)
        yield from numbers(model)


@job
def gradient_penalty():
    critic = mlp()
    optimizer = torch.optim.RMSprop(critic.parameters(), lr=1e-3)
    for _ in range(ITERATIONS):
        x = torch.randn(4, 8, requires_grad=True)
        score = critic(x).sum()
        (gradient,) = torch.autograd.grad(score, x, create_graph=True)
        optimizer.zero_grad()
        (score + (gradient.norm(dim=1) - 1).pow(2).mean()).backward()
        optimizer.step()
        yield gradient
        yield from numbers(critic)


def scaled(*, enabled: bool) -> Iterator[object]:
    model, device = mlp(), torch.get_default_device().type
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler(device, enabled=enabled)
    for number in range(ITERATIONS * 2):
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = model(torch.randn(4, 8)).float().pow(2).mean() / 2
        scaler.scale(loss).backward()
        if number % 2:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
        yield loss
        yield from numbers(model)


@job
def accumulation_with_a_scaler():
    return scaled(enabled=True)


@job
def accumulation_with_a_disabled_scaler():
    return scaled(enabled=False)


@job
def compiled():
    from torch._dynamo.utils import counters

    model = mlp()
    fast = torch.compile(model, backend="aot_eager")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(ITERATIONS):
        loss = fast(torch.randn(4, 8)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss
        yield from numbers(model)
    yield sorted(counters["stats"].items())
