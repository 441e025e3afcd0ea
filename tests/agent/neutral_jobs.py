"""Trains many small models, and prints a digest of every number that training computes.

    python neutral_jobs.py [JOB...]

Run once with the agent and once with GRADWATCH_OFF=1, the output must be the same. A job is a
generator; whatever it yields (tensors, texts, numbers) goes into its digest, in order, together
with the states of the random generators at its end.
"""

from __future__ import annotations

import gc
import hashlib
import random
import sys
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint

import gradwatch_agent

ITERATIONS = 20
Job = Callable[[], Iterator[object]]
JOBS: list[Job] = []


def job(function: Job) -> Job:
    JOBS.append(function)
    return function


def numbers(model: nn.Module) -> Iterator[object]:
    for parameter in model.parameters():
        yield parameter
        yield parameter.grad


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 1))


# Jobs without an optimizer come first: once one was made, the agent waits for its step.


def checkpointed(*, reentrant: bool) -> Iterator[object]:
    first, second = nn.Linear(8, 8), mlp()
    for _ in range(ITERATIONS):
        x = first(torch.randn(4, 8))
        loss = checkpoint(second, x, use_reentrant=reentrant).pow(2).mean()
        loss.backward()
        yield loss
        yield from numbers(first)
        yield from numbers(second)


@job
def checkpointing_reentrant():
    return checkpointed(reentrant=True)


@job
def checkpointing():
    return checkpointed(reentrant=False)


class Cube(torch.autograd.Function):
    """Counts its backwards, too."""

    backwards = 0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, gradient):
        Cube.backwards += 1
        (x,) = ctx.saved_tensors
        return 3 * x**2 * gradient


@job
def custom_function():
    x = torch.randn(8, requires_grad=True)
    for _ in range(ITERATIONS):
        Cube.apply(x).sum().backward()
        yield x.grad
    yield Cube.backwards


@job
def chain_that_is_retained():
    w, y = torch.randn(4, requires_grad=True), torch.zeros(4)
    for _ in range(ITERATIONS):
        y = torch.tanh(y + w)
        y.sum().backward(retain_graph=True)
        yield w.grad
        w.grad.zero_()


@job
def losses_that_are_kept():
    model, kept = mlp(), []
    for _ in range(ITERATIONS):
        kept.append(model(torch.randn(4, 8)).pow(2).mean())
        kept[-1].backward()
        yield kept[-1]
        yield from numbers(model)


@job
def functional_gradients():
    w = torch.randn(4)
    for _ in range(ITERATIONS):
        w = w - 0.1 * torch.func.grad(lambda w: (w * w).sum())(w)
        yield torch.func.vmap(torch.func.grad(lambda x: x.sin().sum()))(w[:, None])
        yield torch.autograd.functional.hessian(lambda w: (w**3).sum(), w)


@job
def hooks():
    model, calls = mlp(), []
    model[0].register_full_backward_hook(lambda *_: calls.append("module"))
    model[0].weight.register_hook(lambda gradient: calls.append("tensor") or gradient * 2)
    for _ in range(ITERATIONS):
        pack = lambda tensor: calls.append("pack") or tensor  # noqa: E731
        unpack = lambda tensor: calls.append("unpack") or tensor  # noqa: E731
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            loss = model(torch.randn(4, 8)).pow(2).mean()
        loss.backward()
        yield from numbers(model)
    yield " ".join(calls)


class Counted(torch.Tensor):
    """A tensor that counts what is asked of it."""

    calls = 0

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        Counted.calls += 1
        return super().__torch_function__(function, types, args, kwargs or {})


class Shy:
    """Counts every look at it that runs code of its own."""

    looks = 0
    __slots__ = ("empty", "full")

    @property
    def tensor(self):
        Shy.looks += 1
        return torch.zeros(1)

    @property
    def __class__(self):
        Shy.looks += 1
        return torch.Tensor

    def __getattr__(self, name):
        Shy.looks += 1
        raise AttributeError(name)

    def __repr__(self):
        Shy.looks += 1
        return "Shy()"

    def __iter__(self):
        Shy.looks += 1
        return iter(())

    def __len__(self):
        Shy.looks += 1
        return 0

    def __bool__(self):
        Shy.looks += 1
        return True


class ShyDict(dict):
    """A dict whose looks count as those of `Shy`."""

    def items(self):
        Shy.looks += 1
        return super().items()

    def __iter__(self):
        Shy.looks += 1
        return super().__iter__()

    def __len__(self):
        Shy.looks += 1
        return super().__len__()


class ShyList(list):
    """A list whose looks count as those of `Shy`."""

    def __iter__(self):
        Shy.looks += 1
        return super().__iter__()


@job
def objects_with_code_of_their_own():
    weight = torch.randn(4, requires_grad=True).as_subclass(Counted)
    shy, keyed, listed = Shy(), ShyDict(), ShyList()
    shy.full, keyed[shy], kept = weight, weight, []
    listed.append(shy)
    for _ in range(ITERATIONS):
        loss = (weight * weight).sum().as_subclass(torch.Tensor)
        loss.backward()
        kept.append(loss)
        yield Counted.calls
    yield Shy.looks
    yield len(kept)


def failing() -> Iterator[Callable[[], object]]:
    x = torch.ones(3, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    yield y.backward
    z = x.exp()
    z.add_(1)
    yield z.sum().backward
    yield torch.ones(3).sum().backward
    yield (x * 2).backward
    yield lambda: torch.autograd.grad(x.sum(), torch.ones(3, requires_grad=True))
    yield lambda: torch.autograd.backward([x.sum()], [torch.ones(7)])

    class Faulty(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            raise KeyError("no such key")

    yield Faulty.apply(x).sum().backward


class Mark:
    """Put on a node; lives as long as that."""


def marked(root: torch.Tensor, marks: weakref.WeakSet[Mark]) -> torch.Tensor:
    waiting = [root.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and "mark" not in node.metadata:
            node.metadata["mark"] = mark = Mark()
            marks.add(mark)
            waiting += [child for child, _ in node.next_functions]
    return root


def lifetimes(*, backward: bool, carries: bool, retains: bool) -> Iterator[object]:
    """How many nodes live after every statement that lets some of them die."""
    model, marks = mlp().eval(), weakref.WeakSet()
    state = torch.zeros(4, 8)
    for _ in range(ITERATIONS):
        out = marked(model(state), marks)
        loss = marked(out.pow(2).mean(), marks)
        yield len(marks)
        if backward:
            loss.backward(retain_graph=retains)
        yield len(marks)
        del loss
        yield len(marks)
        state = marked(state + out, marks)
        if not carries:
            state = state.detach()
        yield len(marks)
        del out
        yield len(marks)


@job
def lives_of_graphs():
    gc.disable()  # a cycle of the agent's would show
    yield from lifetimes(backward=True, carries=False, retains=False)
    yield from lifetimes(backward=True, carries=True, retains=True)
    yield from lifetimes(backward=True, carries=False, retains=True)
    yield from lifetimes(backward=False, carries=False, retains=False)
    gc.enable()


@job
def lives_of_graphs_that_an_exception_keeps():
    gc.disable()
    marks: weakref.WeakSet[Mark] = weakref.WeakSet()

    def step():
        x = torch.ones(3, requires_grad=True)
        y = marked((x * x).exp().sum(), marks)
        y.backward()
        y.backward()

    for _ in range(ITERATIONS):
        try:
            step()
        except RuntimeError as error:
            kept = error
        yield len(marks)
        del kept
        yield len(marks)
    gc.enable()


@job
def errors():
    for number, fail in enumerate([*failing(), *failing()]):
        try:
            fail()
        except (RuntimeError, KeyError) as error:  # noqa: PERF203
            yield f"{number} {type(error).__name__} {error.args!r}"
            yield type(error.__cause__).__name__, type(error.__context__).__name__
            yield len(traceback.extract_tb(error.__traceback__)) > 1
        else:
            yield f"{number} passed"


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
    model = mlp()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", enabled=enabled)
    for number in range(ITERATIONS * 2):
        with torch.autocast("cpu", dtype=torch.bfloat16):
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


def digest(run: Job) -> str:
    found = hashlib.sha256()

    def take(value: object) -> None:
        if isinstance(value, torch.Tensor):
            value = value.detach().as_subclass(torch.Tensor).contiguous().numpy().tobytes()
        found.update(value if isinstance(value, bytes) else repr(value).encode())

    with warnings.catch_warnings(record=True) as caught, gradwatch_agent.watch():
        warnings.simplefilter("always")
        for value in run():
            take(value)
    take(torch.get_rng_state())
    take(random.getstate())
    take(sorted(f"{warning.category.__name__} {warning.message}" for warning in caught))
    take((torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()))
    take((torch.is_grad_enabled(), torch.get_num_threads()))
    return found.hexdigest()[:16]


def main() -> None:
    wanted = sys.argv[1:]
    for run in JOBS:
        if not wanted or run.__name__ in wanted:
            torch.manual_seed(0)
            random.seed(0)
            print(run.__name__, digest(run), flush=True)


if __name__ == "__main__":
    main()
