"""Which keys go on and on: the count of a long loop, a number that is only added to."""

from __future__ import annotations

import ast
import math
import os
import textwrap

import pytest

from gradwatch_agent.source.flow.counting import counts
from gradwatch_agent.source.stored.indexing import index

LONG = 100


def length(iterable: ast.expr, file: str, line: int) -> float:
    """Of `long`, which is long, and of a literal list."""
    if isinstance(iterable, ast.Call):
        return length(iterable.args[0], file, line)
    if isinstance(iterable, ast.List):
        return len(iterable.elts)
    return LONG if isinstance(iterable, ast.Name) and iterable.id == "long" else 0


def of(tmp_path, source: str) -> float:
    """How many keys the statement with the arrow comes to use."""
    file = tmp_path / "train.py"
    file.write_text(textwrap.dedent(source))
    os.utime(file, (0, 0))  # it is what runs
    line = next(n for n, text in enumerate(source.splitlines(), 1) if "# <-" in text)
    stored = [s for every in index(str(file)).puts.values() for s in every if s.line == line]
    return max(counts(store, [str(file)], length) for store in stored)


@pytest.mark.parametrize(
    ("key", "keys"),
    [
        ("step", LONG),
        ("f'step {step}'", LONG),
        ("'step %d' % step", LONG),
        ("str(step)", LONG),
        ("('train', step)", LONG),
        ("step + 1", LONG),
        ("step % 10", 0),
        ("step // 10", 0),
        ("names[step]", 0),
        ("min(step, 5)", 0),
        ("batch", 0),
        ("'loss'", 0),
    ],
)
def test_each_value_of_the_count_makes_another_key(tmp_path, key, keys):
    source = f"for step, batch in enumerate(long):\n    history[{key}] = loss  # <-"
    assert of(tmp_path, source) == keys


@pytest.mark.parametrize(
    "statement",
    [
        "history[step] = loss",
        "history['loss'][step] = loss",
        "history.setdefault(step, loss)",
        "history.__setitem__(step, loss)",
        "history.update({step: loss})",
        "history[step].append(loss)",
        "setattr(record, f'loss_{step}', loss)",
        "record.__dict__[f'loss_{step}'] = loss",
    ],
)
def test_every_way_to_store_under_a_key(tmp_path, statement):
    assert of(tmp_path, f"for step in long:\n    {statement}  # <-") == LONG


def test_a_count_that_is_handed_on(tmp_path):
    source = """
    class Recorder:
        def log(self, loss, number):
            self.outs[number] = loss  # <-

    def train(recorder):
        for step in long:
            recorder.log(loss, step)
    """
    assert of(tmp_path, source) == LONG


@pytest.mark.parametrize(
    ("begin", "keys"),
    [
        ("def __init__(self):\n        self.number = 0", math.inf),
        ("number = 0", math.inf),
        ("def reset(self):\n        self.number = 0", 0),
        ("def __init__(self):\n        self.number = first()", 0),
    ],
)
def test_a_number_that_is_only_added_to(tmp_path, begin, keys):
    source = f"""class Recorder:
    {begin}

    def log(self, loss):
        self.outs[self.number] = loss  # <-
        self.number += 1
"""
    assert of(tmp_path, source) == keys


def test_a_number_that_begins_anew_in_every_epoch(tmp_path):
    source = """
    for epoch in long:
        number = 0
        for batch in batches:
            history[number] = loss  # <-
            number += 1
    """
    assert of(tmp_path, source) == 0


def test_a_short_loop_counts_no_further(tmp_path):
    source = """
    for epoch in long:
        for task in [1, 2, 3]:
            history[task] = loss  # <-
    """
    assert of(tmp_path, source) == 3


def test_a_cache_is_keyed_by_its_functions_arguments(tmp_path):
    source = """
    @functools.cache
    def value(number, model):
        return model(number)  # <-

    for step in long:
        value(step, model)
    """
    assert of(tmp_path, source) == LONG
