"""Whether a statement fills a store only with what is not there yet, by its source."""

from __future__ import annotations

import os

import pytest

from gradwatch_agent.kept.guards import is_guarded

ASKED_FIRST = """
def get(self, key):
    hit = self.entries.get(key)
    if hit is None:
        hit = self.entries[key] = compute(key)
    return hit
"""
ASKED_IN_THE_TEST = """
def get(self, key):
    if (hit := self.entries.get(key)) is None:
        hit = self.entries[key] = compute(key)
    return hit
"""
BY_MEMBERSHIP = """
def get(self, key):
    if key not in self.entries:
        self.entries[key] = compute(key)
    return self.entries[key]
"""
OF_SOMETHING_ELSE = """
def keep(self, key, value, mask=None):
    if mask is None:
        self.entries[key] = value
"""
NOT_AT_ALL = """
def keep(self, key, value):
    self.entries[key] = value
"""
UP_TO_A_BOUND = """
def keep(self, key, value):
    if len(self.entries) >= self.most:
        return
    self.entries[key] = value
"""
AFTER_THE_WARM_UP = """
def keep(self, key, value, step):
    if step < self.warm_up:
        return
    self.entries[key] = value
"""
IN_THE_BEGINNING = """
def keep(self, key, value, step):
    if step < WARM_UP:
        self.entries[key] = value
"""
WHERE_IT_IS_CERTAIN = """
def keep(self, key, value):
    if value.max() > 0.9:
        self.entries[key] = value
"""
MISSING_ONES = """
def get(self, keys, inputs):
    missing = [place for place, key in enumerate(keys) if key not in self.entries]
    if missing:
        for key, value in zip([keys[place] for place in missing], compute(inputs[missing])):
            self.entries[key] = value
"""
MISSING_ONES_ONE_BY_ONE = """
def get(self, keys):
    new = []
    for key in keys:
        if key not in self.entries:
            new.append(key)
    for key in new:
        self.entries[key] = compute(key)
"""
A_DIFFERENCE = """
def get(self, keys):
    for key in set(keys) - self.entries.keys():
        self.entries[key] = compute(key)
"""
SOME_OF_THEM = """
def keep(self, pairs):
    good = [pair for pair in pairs if pair.score > 0]
    for key, value in good:
        self.entries[key] = value
"""
ELSE_IT_IS_THERE = """
def get(self, key):
    if key in self.entries:
        hit = self.entries[key]
    else:
        hit = compute(key)
        self.entries[key] = hit
    return hit
"""
WHAT_IS_THERE_IS_HANDED_BACK = """
def get(self, key):
    hit = self.entries.get(key)
    if hit is not None:
        return hit
    hit = compute(key)
    self.entries[key] = hit
    return hit
"""
WHAT_IS_THERE_IS_PASSED_OVER = """
def fill(self, keys):
    for key in keys:
        if key in self.entries:
            continue
        self.entries[key] = compute(key)
"""
OTHERS_ARE_HANDED_BACK = """
def keep(self, key, value, mask):
    if mask is not None:
        return
    self.entries[key] = value
"""


@pytest.mark.parametrize(
    ("source", "guarded"),
    [
        (ASKED_FIRST, True),
        (ASKED_IN_THE_TEST, True),
        (BY_MEMBERSHIP, True),
        (OF_SOMETHING_ELSE, False),
        (NOT_AT_ALL, False),
        (UP_TO_A_BOUND, True),
        (AFTER_THE_WARM_UP, False),
        (IN_THE_BEGINNING, True),
        (WHERE_IT_IS_CERTAIN, False),
        (MISSING_ONES, True),
        (MISSING_ONES_ONE_BY_ONE, True),
        (A_DIFFERENCE, True),
        (SOME_OF_THEM, False),
        (ELSE_IT_IS_THERE, True),
        (WHAT_IS_THERE_IS_HANDED_BACK, True),
        (WHAT_IS_THERE_IS_PASSED_OVER, True),
        (OTHERS_ARE_HANDED_BACK, False),
    ],
)
def test_a_store_that_is_asked_first_is_guarded(tmp_path, source, guarded):
    file = tmp_path / "store.py"
    file.write_text(source)
    os.utime(file, (0, 0))  # a file younger than the process may not be what runs
    lines = source.splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "self.entries[key] = " in text)
    assert is_guarded(str(file), line) is guarded
