"""Functions that are made for later or remember: partials, lambdas, defaults, caches."""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
from typing import ClassVar

import torch
from torch import nn

from ..common import STEPS, job


def by_partials():
    """graph-held | later | replaced"""
    step, later = job(), []
    for number in range(STEPS):
        loss = step()
        later.append(functools.partial(print, number, loss))  # <- graph-held


def by_partials_of_several_tensors():
    """graph-held | later | replaced"""
    step, later = job(), {}
    for number in range(STEPS):
        loss = step()
        later[number] = functools.partial(torch.add, loss, other=loss.sqrt())  # <-


def put(later, value):
    later.append(functools.partial(print, value=value))  # <-


def by_partials_of_tensors_and_of_numbers():
    """graph-held | later | words"""
    step, later = job(), []
    for number in range(STEPS):
        put(later, step())
        put(later, 0.1 * number)


class Later:
    calls: ClassVar[list[functools.partial[torch.Tensor]]] = []

    @classmethod
    def put_off(cls, call):
        cls.calls.append(call)


def by_partials_that_a_method_puts_away():
    """graph-held | Later.calls | replaced"""
    step = job()
    for _ in range(STEPS):
        loss = step()
        Later.put_off(functools.partial(torch.add, loss, loss.sqrt()))  # <-


def behind_partials_given_on():
    """graph-held | later | words"""
    step, later = job(), []
    for number in range(STEPS):
        write = functools.partial(print, step(), number)
        later.append(write)  # <- graph-held


def by_what_is_left_to_do():
    """graph-held | - | words"""
    step, undo = job(), contextlib.ExitStack()
    for _ in range(STEPS):
        loss = step()
        undo.callback(abs, loss)  # <- graph-held
    undo.pop_all()


def by_messages_that_are_made_later():
    """graph-held | pending | replaced"""
    step, pending = job(), []
    for number in range(STEPS):
        loss = step()
        pending.append(lambda loss=loss, number=number: f"{number}: {loss.item()}")  # <-


class Sheet:
    def __init__(self):
        self.rows = []

    def register(self, number, **readings):
        self.rows.append((number, readings))


def by_readings_that_are_made_elsewhere():
    """graph-held | sheet.rows | replaced"""
    step, sheet = job(), Sheet()
    for number in range(STEPS):
        values = {"loss": step()}
        readings = {name: (lambda v=value: v.item()) for name, value in values.items()}  # <-
        sheet.register(number, **readings)


def by_functions_with_a_default():
    """graph-held | later | replaced"""
    step, later = job(), collections.deque()
    for _number in range(STEPS):
        loss = step()

        def show(prefix, *, value=loss):  # <-
            print(prefix, value.item())

        later.append(show)


def by_functions_of_one_line():
    """graph-held | shown | words"""
    step, shown = job(), []
    for _number in range(STEPS):
        loss = step()

        def show(value=loss): return value.item()  # <-  # fmt: skip

        shown.append(show)


def by_lru_cache():
    """graph-held | value | words"""
    step = job()

    @functools.cache  # <-
    def value(n):
        return step() * n

    for n in range(STEPS):
        value(n)


class Tilted(nn.Module):
    def __init__(self):
        super().__init__()
        self.slope = nn.Parameter(torch.ones(1))
        self.tilt = functools.lru_cache(maxsize=None)(self._tilt)  # <- not where it is asked

    def _tilt(self, number):
        return self.slope.exp() * number

    def forward(self, x, number):
        bent = self.tilt(number)
        return x + bent


def by_a_cache_that_the_constructor_makes():
    """graph-held | model.tilt | words"""
    model = Tilted()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for number in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4), number).pow(2).mean().backward()
        optimizer.step()


class Lazily:
    def __init__(self):
        self.waiting = []

    def add(self, name, later):
        self.waiting.append((name, later))


def by_lambdas_that_are_merely_kept():
    """graph-held | lazily.waiting | words"""
    step, lazily = job(), Lazily()

    def note(loss):
        lazily.add("loss", lambda: loss.item())  # <-

    for _ in range(STEPS):
        note(step())


def rounds_of(step):
    for _ in range(STEPS):
        yield step()


def by_what_a_call_gathers():
    """graph-held | all_of_them | words"""
    all_of_them = list(rounds_of(job()))  # <-
    print(len(all_of_them))


def by_all_that_a_list_takes():
    """graph-held | every_one | words"""
    every_one = [*rounds_of(job())]  # <-
    print(len(every_one))


def by_a_sum_of_all_rounds():
    """graph-held | sum_of_all | words"""
    sum_of_all = sum(rounds_of(job()))  # <-
    print(sum_of_all)


def by_the_highest_of_all_rounds():
    """graph-held | - | words"""
    highest = sorted(rounds_of(job()), key=float)[-1]  # noqa: FURB192  # <-
    print(highest)


def by_a_cache_that_is_asked_with_tensors():
    """graph-held | rounded | words"""
    step = job()

    @functools.cache  # <-
    def rounded(value):
        return round(value.item(), 3)

    for _ in range(STEPS):
        rounded(step())


def by_a_reduce_over_what_a_generator_gives():
    """graph-held | - | words"""
    step = job()

    def given_off():
        for _ in range(STEPS):
            lossy = step()
            lossy.mean()
            yield lossy

    functools.reduce(lambda before, each: 0.9 * before + 0.1 * each, given_off())  # <-


def by_what_a_reduce_hands_over_again():
    """graph-held | far_total | replaced"""
    step = job()

    def stepped(far_total, _):
        lossy = step()
        lossy.mean()
        return far_total + lossy  # <-

    functools.reduce(stepped, range(STEPS), torch.zeros(()))


def by_totals_that_a_loop_goes_through():
    """graph-held | ran_up | replaced"""
    step = job()
    for n, ran_up in enumerate(itertools.accumulate(step() for _ in range(STEPS))):  # <-
        assert n < STEPS
        assert ran_up.ndim == 0


def _parts(model):
    out = model(torch.randn(8, 4))
    first, second = out.pow(2).mean(), out.abs().mean()
    return first + second, first, second


def by_two_defaults_of_lines_that_are_written_later():
    """graph-held | later | replaced"""
    torch.manual_seed(0)
    model, later = nn.Linear(4, 2), []
    for n in range(STEPS):
        loss, first, second = _parts(model)
        loss.backward()
        later.append(lambda n=n, a=first, b=second: f"{n} {a.item():.2f} {b.item():.2f}")  # <-
