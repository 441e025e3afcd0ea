"""Ordinary jobs of one process: each counted exactly, none accused."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

ITERATIONS = 24
JOBS: dict[Callable[[], None], int] = {}
"""Jobs, and how many iterations they make."""


def job(iterations: int = ITERATIONS):
    def announce(function: Callable[[], None]) -> Callable[[], None]:
        JOBS[function] = iterations
        return function

    return announce


def mlp(outputs: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, outputs))


def batch() -> torch.Tensor:
    return torch.randn(3, 4)


def sgd(*modules: nn.Module) -> torch.optim.SGD:
    return torch.optim.SGD([p for m in modules for p in m.parameters()], lr=1e-3)


@job()
def gradients_of_four_batches_accumulated():
    model = mlp()
    optimizer = sgd(model)
    for _ in range(ITERATIONS):
        for _ in range(4):
            (model(batch()).mean() / 4).backward()
        optimizer.step()
        optimizer.zero_grad()


def mixed(dtype: torch.dtype, every: int) -> None:
    model = mlp()
    device = torch.get_default_device().type
    optimizer, scaler = sgd(model), torch.amp.GradScaler(device)
    for _ in range(ITERATIONS):
        for _ in range(every):
            with torch.autocast(device, dtype=dtype):
                loss = model(batch()).float().pow(2).mean()
            scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


@job()
def autocast_with_a_scaler():
    mixed(torch.bfloat16, 1)


@job()
def autocast_with_a_scaler_and_accumulation():
    mixed(torch.float16, 2)


@job()
def an_optimizer_for_each_part():
    parts = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizers = [sgd(part) for part in parts]
    for _ in range(ITERATIONS):
        nn.Sequential(*parts)(batch()).pow(2).mean().backward()
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()


@job()
def lbfgs():
    model, x = mlp(), batch()
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4, tolerance_change=0)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = model(x).pow(2).mean() + 1
        loss.backward()
        return loss

    for _ in range(ITERATIONS):
        optimizer.step(closure)


@job()
def gradient_penalty():
    critic = mlp()
    optimizer = sgd(critic)
    for _ in range(ITERATIONS):
        x = batch().requires_grad_()
        score = critic(x)
        (slope,) = torch.autograd.grad(score.sum(), x, create_graph=True)
        optimizer.zero_grad()
        (score.mean() + (slope.norm(dim=1) - 1).pow(2).mean()).backward()
        optimizer.step()


@job()
def hessian_vector_products():
    w = torch.randn(4, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1e-3)
    for _ in range(ITERATIONS):
        (slope,) = torch.autograd.grad(w.pow(4).sum(), w, create_graph=True)
        (curvature,) = torch.autograd.grad((slope * torch.randn(4)).sum(), w)
        w.grad = slope.detach() + curvature
        optimizer.step()


@job()
def per_sample_gradients_by_functorch():
    model = mlp()
    optimizer = sgd(model)
    parameters = {name: p.detach() for name, p in model.named_parameters()}

    def loss_of(parameters: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(model, parameters, (x[None],)).pow(2).mean()

    each = torch.func.vmap(torch.func.grad(loss_of), in_dims=(None, 0))
    for _ in range(ITERATIONS):
        norms = each(parameters, batch())
        assert norms["0.weight"].shape == (3, 8, 4)
        optimizer.zero_grad()
        model(batch()).pow(2).mean().backward()
        optimizer.step()


@job()
def an_ensemble_by_vmap():
    stacked, _ = torch.func.stack_module_state([mlp() for _ in range(3)])
    parameters = {name: p.detach().requires_grad_() for name, p in stacked.items()}
    optimizer, base = torch.optim.SGD(parameters.values(), lr=1e-3), mlp().to("meta")

    def call(parameters: dict[str, torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(base, parameters, (x,))

    for _ in range(ITERATIONS):
        optimizer.zero_grad()
        torch.func.vmap(call, in_dims=(0, None))(parameters, batch()).pow(2).mean().backward()
        optimizer.step()


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.extra = x * 2
        return x**3

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * gradient


class Twice(torch.autograd.Function):
    """In the newer style, with two outputs."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.clone(), x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, one, other):
        return one + other


@job()
def custom_functions():
    model = mlp()
    optimizer = sgd(model)
    for _ in range(ITERATIONS):
        one, other = Twice.apply(Cube.apply(model(batch())))
        optimizer.zero_grad()
        (one + other).mean().backward()
        optimizer.step()


def checkpointed(*, reentrant: bool) -> None:
    first, second, third = nn.Linear(4, 4), mlp(4), mlp()
    optimizer = sgd(first, second, third)
    for _ in range(ITERATIONS):
        x = checkpoint(second, first(batch()), use_reentrant=reentrant)
        x = checkpoint_sequential(third, 2, x, use_reentrant=reentrant)
        optimizer.zero_grad()
        x.pow(2).mean().backward()
        optimizer.step()


@job()
def checkpointing():
    checkpointed(reentrant=False)


@job()
def checkpointing_reentrant():
    checkpointed(reentrant=True)


@job()
def data_parallel_replicas_in_one_process():
    model = nn.DataParallel(mlp())
    optimizer = sgd(model)
    for _ in range(ITERATIONS):
        optimizer.zero_grad()
        model(batch()).pow(2).mean().backward()
        optimizer.step()


def partly_in_another_thread(*, here: int, there: int) -> None:
    """As in a double backward on a device, whose thread numbers its nodes by itself. So many
    forwards have been made in each thread before.
    """
    first, second, last = mlp(4), mlp(4), mlp()
    optimizer = sgd(first, second, last)
    for _ in range(here):
        first(batch())
    with ThreadPoolExecutor(1) as aside:
        for _ in range(there):
            aside.submit(second, batch()).result()
        for _ in range(ITERATIONS):
            x = first(batch())
            optimizer.zero_grad()
            y = aside.submit(second, x).result()
            (last(y).pow(2).mean() + x.mean()).backward(retain_graph=True)
            last(aside.submit(second, x).result()).pow(2).mean().backward()
            optimizer.step()


@job()
def a_part_that_another_thread_builds():
    partly_in_another_thread(here=200, there=0)


@job()
def a_part_that_a_thread_builds_whose_numbers_are_ahead():
    partly_in_another_thread(here=0, there=2_000)


def number_of_the_next() -> int:
    """What the next node is numbered that this thread builds."""
    return 1 + (torch.ones(1, requires_grad=True) * 1).grad_fn._sequence_nr()


def builds_up_to(number: int) -> None:
    """So many nodes that the next one has at least that number."""
    while number_of_the_next() < number:
        pass


@job()
def a_part_that_a_thread_builds_with_the_very_same_numbers():
    first, second, last = mlp(4), mlp(4), mlp()
    optimizer = sgd(first, second, last)
    with ThreadPoolExecutor(1) as aside:

        def there(function):
            return aside.submit(function).result()

        here = number_of_the_next()
        there(lambda: builds_up_to(here))
        for _ in range(ITERATIONS):
            x = first(batch())
            optimizer.zero_grad()
            x.mean().backward(retain_graph=True)
            last(there(lambda x=x: second(x))).pow(2).mean().backward()
            optimizer.step()


@job()
def saved_tensors_elsewhere():
    model = mlp()
    optimizer = sgd(model)
    for _ in range(ITERATIONS):
        with torch.autograd.graph.save_on_cpu():
            loss = model(batch()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@pytest.mark.parametrize("train", JOBS, ids=lambda train: train.__name__)
def test_counted_exactly_and_not_accused(watched, train):
    assert watched(train).is_healthy(JOBS[train])


def two_optimizers_that_take_turns():
    generator, critic = mlp(4), mlp()
    steps = sgd(generator), torch.optim.Adam(critic.parameters())
    for _ in range(ITERATIONS):
        fake = generator(batch())
        steps[1].zero_grad()
        (critic(fake.detach()).mean() - critic(batch()).mean()).backward()
        steps[1].step()
        steps[0].zero_grad()
        (-critic(fake).mean()).backward()
        steps[0].step()


def test_optimizers_that_take_turns_are_one_iteration_from_the_second_on(watched):
    """At the critic's first step nobody could know that the generator's follows: the first
    iteration makes two records, and the second of them reaches what is not yet proven old.
    """
    ran = watched(two_optimizers_that_take_turns)
    assert ran.alarms == []
    assert ran.is_exact(ITERATIONS + 1, since=2)
