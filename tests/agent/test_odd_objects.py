"""Whoever searches a program's names meets objects that bite; none may stop the search."""

from __future__ import annotations

import sys
import types
import unittest.mock
import weakref

import numpy as np
import pytest
import torch


class Biting:
    """Answers nothing."""

    @property
    def __class__(self):
        raise RuntimeError("no class")

    def __getattribute__(self, name):
        raise RuntimeError(f"no {name}")


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
    assert (len(bites), len(odd)) == (12, 9)
