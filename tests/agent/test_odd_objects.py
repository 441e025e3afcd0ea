"""Whoever searches a program's names meets objects that bite; none may stop the search."""

from __future__ import annotations

import collections
import functools
import sys
import threading
import types
import unittest.mock
import weakref
from typing import Literal

import numpy as np
import pytest
import torch

from gradwatch_agent.naming import Found, search


class Biting:
    """Answers nothing."""

    @property
    def __class__(self):
        raise RuntimeError("no class")

    def __getattribute__(self, name):
        raise RuntimeError(f"no {name}")


class BitingFunction(Biting):
    def __call__(self):
        raise RuntimeError("no call")


class BitingClass(type):
    def __instancecheck__(cls, other):
        raise RuntimeError("no instances")

    def __subclasscheck__(cls, other):
        raise RuntimeError("no subclasses")


class Unhashable:
    def __hash__(self):
        raise RuntimeError("no hash")

    def __eq__(self, other):
        raise RuntimeError("no equal")


class EmptySlots:
    __slots__ = ("__private", "plain")

    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")


class LazyModule(types.ModuleType):
    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")


def generator():
    tensor = torch.ones(3, requires_grad=True) * 2
    while True:
        yield tensor


def objects() -> list[object]:
    running, closed = generator(), generator()
    next(running)
    closed.close()
    cycle: list[object] = []
    cycle.append(cycle)
    deep: list[object] = []
    for _ in range(2_000):
        deep = [deep]
    mocks = [unittest.mock.MagicMock(), unittest.mock.Mock(spec=torch.Tensor)]
    biting = [Biting(), BitingClass("Odd", (), {}), BitingClass("Odd", (), {})(), Unhashable()]
    odd = BitingFunction()
    biting += [functools.partial(odd), types.MethodType(odd, 1), functools.partial(max, odd)]
    dead = weakref.proxy(torch.nn.Linear(2, 2))
    return [*biting, *mocks, EmptySlots(), dead, running, closed, cycle, deep]


def tensors() -> list[object]:
    base = torch.ones(4, 2, requires_grad=True) * 1
    views = [*base.unbind(1), base.view(8)]  # of one of several, torch refuses to tell the node
    with torch.no_grad():
        base.mul_(2)
    return [
        base,
        *views,
        torch.eye(3).to_sparse().requires_grad_(),
        torch.ones(3, device="meta", requires_grad=True) * 2,
        torch.nn.LazyLinear(3),
        torch.jit.trace(torch.nn.Linear(2, 2), torch.ones(2)),
        np.array([object()], dtype=object),
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_holder_is_found_among_objects_that_bite(watching, monkeypatch):
    bites, odd = objects(), tensors()
    monkeypatch.setitem(sys.modules, "lazy_module", LazyModule("lazy_module"))
    x, total = torch.ones(3, requires_grad=True), 0
    with watching() as said:
        for _ in range(40):
            loss = (x * x).sum()
            loss.backward()
            total = total + loss
        off = said.beat().off
    assert off == ()
    assert {(found.kind, found.holder) for found in said.findings} == {("graph-held", "total")}
    assert (len(bites), len(odd)) == (15, 9)


class Busy:
    """A loader, a cache, a logger: what other threads fill and empty without end."""

    def __init__(self):
        self.queue, self.seen, self.by_key = collections.deque(), set(), {}
        self.tensor = torch.ones(2, requires_grad=True)
        self.going = True
        self.thread = threading.Thread(target=self.change)

    def change(self):
        while self.going:
            kept = torch.ones(1)
            self.queue.append(kept)
            self.seen.add(kept)
            self.by_key[kept] = setattr(self, f"a{id(kept)}", kept)
            self.tensor.register_hook(id)
            setattr(self.tensor, f"a{id(kept)}", kept)
            if len(self.queue) > 200:
                vars(self.tensor).clear()
                self.tensor._backward_hooks.clear()
                for name in [name for name in vars(self) if name[1:].isdigit()]:
                    delattr(self, name)
                for each in (self.queue, self.seen, self.by_key):
                    each.clear()

    def __enter__(self):
        self.before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.going = False
        self.thread.join()
        sys.setswitchinterval(self.before)


def test_the_search_goes_on_while_other_threads_change_what_it_reads(watching):
    x, history = torch.ones(3, requires_grad=True), []
    with Busy() as busy, watching() as said:
        for _ in range(200):
            loss = (x * x).sum()
            loss.backward()
            history.append(loss)
        off = said.beat().off
    assert off == ()
    assert {(found.kind, found.holder) for found in said.findings} == {("graph-held", "history")}
    assert not busy.thread.is_alive()


COLOURS = Literal["red", "green", "blue"]


class Met(Found):
    """The names of the containers that were met."""

    def __init__(self):
        self.names = set()

    def container(self, container, path):
        self.names.add(path.expression.partition(".")[0])


def test_what_annotations_keep_is_not_gone_through():
    met = Met()
    search(met, sys._getframe())
    assert "Literal" not in met.names
    assert "COLOURS" not in met.names
