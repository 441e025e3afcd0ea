"""Leaks put into jobs of one process: found at the right line, the counts exact all the while."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import gradwatch_agent

HEALTHY, LEAKING = 20, 20
ITERATIONS = HEALTHY + LEAKING


def batch() -> torch.Tensor:
    return torch.randn(3, 4)


def accumulated() -> None:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters())
    total = torch.zeros(())
    for number in range(4 * ITERATIONS):
        loss = model(batch()).pow(2).mean() / 4
        loss.backward()
        if number % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()
        if number < 4 * HEALTHY:
            loss = loss.detach()
        total += loss  # the leak


def checkpointed(*, reentrant: bool) -> None:
    first, second, history = nn.Linear(4, 4), nn.Sequential(nn.Tanh(), nn.Linear(4, 1)), []
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.01)
    for number in range(ITERATIONS):
        loss = checkpoint(second, first(batch()), use_reentrant=reentrant).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item() if number < HEALTHY else loss)  # the leak


def checkpointed_state(*, reentrant: bool) -> None:
    cell, state = nn.GRUCell(4, 4), torch.zeros(3, 4)
    for number in range(ITERATIONS):
        if number < HEALTHY:
            state = torch.zeros(3, 4)
        state = checkpoint(cell, batch(), state, use_reentrant=reentrant)  # the leak
        state.pow(2).mean().backward(retain_graph=True)
        cell.zero_grad()
        gradwatch_agent.iteration()


def mixed_precision() -> None:
    model, kept = nn.Linear(4, 1), []
    optimizer, scaler = torch.optim.SGD(model.parameters()), torch.amp.GradScaler("cpu")
    for number in range(ITERATIONS):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = model(batch()).float().pow(2).mean()
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        kept.append(loss.detach() if number < HEALTHY else loss)  # the leak


CASES = [
    pytest.param(accumulated, {}, "graph-held", "total", id="accumulation"),
    pytest.param(checkpointed, {"reentrant": False}, "graph-held", "history", id="checkpointing"),
    pytest.param(checkpointed, {"reentrant": True}, "graph-held", "history", id="reentrant"),
    pytest.param(checkpointed_state, {"reentrant": False}, "graph-chain", "state", id="state"),
    pytest.param(mixed_precision, {}, "graph-held", "kept", id="mixed precision"),
]


def line_of(function: Callable[..., None]) -> int:
    lines, first = inspect.getsourcelines(function)
    return next(n for n, text in enumerate(lines, first) if text.endswith("# the leak\n"))


@pytest.mark.parametrize(("train", "options", "kind", "holder"), CASES)
def test_the_leak_is_found(watched, train, options, kind, holder):
    ran = watched(lambda: train(**options))
    assert ran.is_exact(ITERATIONS)
    leak = ran.the_leak()
    assert (leak.kind, leak.holder) == (kind, holder)
    assert (leak.file, leak.line) == (__file__, line_of(train))
    assert leak.since_iteration >= HEALTHY
