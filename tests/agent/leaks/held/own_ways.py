"""Calls and statements that keep what they are given in a way of their own."""

from __future__ import annotations

import collections
import contextlib
import itertools
import sched
import types

from torch import nn

from ..common import STEPS, job


class Bead:
    def __init__(self, worth, before):
        self.worth = worth
        self.before = before


def by_a_linked_list_of_what_has_a_name():
    """graph-held | bead.before | words"""
    step, bead = job(), None
    for _ in range(STEPS):
        loss = step()
        bead = Bead(loss, bead)  # <- graph-held


def by_a_buffer_of_a_new_name():
    """graph-held | model | replaced"""
    step, model = job(), nn.Linear(2, 2)
    for number in range(STEPS):
        loss = step()
        model.register_buffer(f"loss_{number}", loss)  # <- graph-held


def by_the_namespace():
    """graph-held | log | replaced"""
    step, log = job(), types.SimpleNamespace()
    for number in range(STEPS):
        loss = step()
        vars(log)[f"loss_{number}"] = loss  # <- graph-held


def by_a_map_for_each_round():
    """graph-held | log | words"""
    step, log = job(), collections.ChainMap()
    for _ in range(STEPS):
        loss = step()
        log = log.new_child({"loss": loss})  # <- graph-held


def by_what_is_chained_on():
    """graph-held | losses | replaced"""
    step, losses = job(), []
    for _ in range(STEPS):
        loss = step()
        losses = list(itertools.chain(losses, [loss]))  # <- graph-held


def by_calls_at_the_end():
    """graph-held | stack | replaced"""
    step = job()
    with contextlib.ExitStack() as stack:
        for _ in range(STEPS):
            loss = step()
            stack.callback(bool, loss)  # <- graph-held


def by_calls_at_some_time():
    """graph-held | later | replaced"""
    step, later = job(), sched.scheduler()
    for _ in range(STEPS):
        loss = step()
        later.enter(9e9, 1, print, argument=(loss,))  # <- graph-held
