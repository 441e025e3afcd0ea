"""How long a loop of the user's will be, read from live frames; none of his code runs."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from gradwatch_agent.naming.values import length

EPOCHS = 7


@dataclass
class Config:
    steps: int = 50
    data: dict = field(default_factory=lambda: {"train": [0] * 30})

    @property
    def forbidden(self):
        raise AssertionError("code of the user's was run")


class Loud(list):
    def __len__(self):
        raise AssertionError("code of the user's was run")


def asked(expression: str) -> float:
    """From a function that has some locals, as training code has."""
    config, options, sizes = Config(), SimpleNamespace(n=12), {"epochs": 9}
    loud, deep = Loud([1, 2, 3]), SimpleNamespace(config=config)
    _ = config, options, sizes, loud, deep
    code = asked.__code__
    tree = ast.parse(expression, mode="eval").body
    return length(tree, code.co_filename, code.co_firstlineno)


@pytest.mark.parametrize(
    ("expression", "times"),
    [
        ("range(10)", 10),
        ("range(2, 20, 3)", 6),
        ("range(EPOCHS)", 7),
        ("range(config.steps)", 50),
        ("range(options.n * 2 - 1)", 23),
        ("range(sizes['epochs'])", 9),
        ("range(len(config.data['train']))", 30),
        ("range(deep.config.steps)", 50),
        ("tqdm(range(config.steps), desc='x')", 50),
        ("config.data['train']", 30),
        ("loud", 3),
        ("itertools.count()", math.inf),
        ("range(config.forbidden)", 0),
        ("range(nowhere)", 0),
        ("range(compute())", 0),
        ("range('a')", 0),
        ("range(0, 9, 0)", 0),
        ("range(10**30)", 0),
        ("loader", 0),
        ("config", 0),
    ],
)
def test_the_length_of_a_loop(expression, times):
    assert asked(expression) == times


def test_a_function_that_does_not_run_is_unknown():
    tree = ast.parse("range(config.steps)", mode="eval").body
    assert length(tree, __file__, 10**6) == 0
