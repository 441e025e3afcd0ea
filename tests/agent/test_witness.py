"""While it is watched which line stores, training goes on as ever, and nothing stays behind."""

from __future__ import annotations

import sys
import threading
import weakref

import torch

from . import leaks

LINES = 12


def traced(watching, train):
    """In how many calls of `train` some line was traced."""
    count = 0
    with watching() as said:
        for _ in range(LINES):
            train()
            count += sys.gettrace() is not None
    return count, said


def keeping():
    """A job that keeps each loss, and each state by a name of its own for a while."""
    step, kept = leaks.job(), []

    def train():
        loss = step()
        kept.append(loss)

    return train, kept


ALONE = """
import sys
import torch
import gradwatch_agent.auto

model = torch.nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), 0.01)
kept, traced = [], 0

def train():
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    kept.append(loss)

def debugger(frame, event, argument):
    return None
"""
"""In a process of its own: no other test's threads, and nothing compiled."""


def test_lines_are_watched_for_a_few_iterations_alone(children):
    ended = children.run(
        ALONE
        + """
for _ in range(12):
    train()
    traced += sys.gettrace() is not None
print(0 < traced < 6, sys.gettrace(), sys._getframe().f_trace)
"""
    )
    assert (ended.out, ended.err) == ("True None None\n", "")
    assert [f.code for f in ended.findings if f.kind == "graph-held"][-1] == "kept.append(loss)"


def test_a_debugger_that_comes_meanwhile_stays(children):
    ended = children.run(
        ALONE
        + """
for _ in range(12):
    train()
    if sys.gettrace() is not None:
        break
frame, watched = sys._getframe(), sys.gettrace() is not None
sys.settrace(debugger)
frame.f_trace = debugger
train()
print(watched, sys.gettrace() is debugger, frame.f_trace is debugger)
sys.settrace(None)
"""
    )
    assert (ended.out, ended.err) == ("True True True\n", "")


def test_frames_are_left_as_they_were(watching):
    train, _ = keeping()
    traced(watching, train)
    frame = sys._getframe()
    assert frame.f_trace is None


def test_what_a_variable_held_is_let_go_of(watching):
    step, kept, alive = leaks.job(), [], []
    with watching():
        for _ in range(LINES):
            state = step()
            kept.append(state)
            big = torch.zeros(100)
            alive.append(weakref.ref(big))
            del big
        assert [each() for each in alive] == [None] * LINES


def test_a_debuggers_place_is_left_to_it(watching):
    def debugger(_frame, _event, _argument):
        return None

    train, _ = keeping()
    before = sys.gettrace()
    sys.settrace(debugger)
    try:
        with watching() as said:
            for _ in range(LINES):
                train()
                assert sys.gettrace() is debugger
    finally:
        sys.settrace(before)
    assert [f.code for f in said.findings if f.kind == "graph-held"][-1] == "kept.append(loss)"


def test_where_another_thread_of_the_programs_runs_no_line_is_watched(watching):
    train, _ = keeping()
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        count, _ = traced(watching, train)
    finally:
        over.set()
        other.join()
    assert count == 0


def test_an_error_amid_watched_lines_is_the_programs_own(watching):
    train, kept = keeping()
    caught = []
    with watching():
        for _ in range(LINES):
            train()
            try:
                {}[len(kept)]
            except KeyError as error:
                caught.append(error.args)
    assert caught == [(n + 1,) for n in range(LINES)]
