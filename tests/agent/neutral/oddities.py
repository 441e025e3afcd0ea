"""Jobs that notice being looked at: hooks, objects with code of their own, errors."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator

import torch
from jobs import ITERATIONS, job, mlp, numbers


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
