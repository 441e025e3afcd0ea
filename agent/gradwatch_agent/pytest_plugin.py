"""The pytest plugin: a fixture and a marker for tests that train, in which no graph may grow.

Owns when a test is judged and how a leak is reported. Imported by every pytest of an environment
that has gradwatch: must not import torch, nor anything else before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

import pytest

_NAME = "no_graph_growth"
"""Of the fixture and of the marker."""


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker."""
    config.addinivalue_line(
        "markers",
        f"{_NAME}(level='warning', kinds=None, min_iterations=2): the test trains, and fails if "
        "an autograd graph grows from iteration to iteration.",
    )


@pytest.fixture
def no_graph_growth(request: pytest.FixtureRequest) -> None:
    """The test fails if an autograd graph grows from iteration to iteration (gradwatch)."""
    request.node.add_marker(_NAME)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Judges the call of a marked test; what its fixtures train is not looked at."""
    marks = list(item.iter_markers(_NAME))
    if not marks:
        return (yield)
    passed, told = False, ""
    try:
        with ExitStack() as block:
            _enter(block, _options(marks))
            result = yield
            passed = True
    except AssertionError as growth:
        if not passed:  # the test's own
            raise
        told = str(growth)
    if told:  # out of the handler, or pytest would show both exceptions
        pytest.fail(told, pytrace=False)
    return result


def _enter(block: ExitStack, options: dict[str, Any]) -> None:
    from gradwatch_agent.testing import assert_no_graph_growth

    wrong = ""
    try:
        block.enter_context(assert_no_graph_growth(**options))
    except (TypeError, ValueError) as error:  # a name, or a level, that there is not
        wrong = str(error)
    if wrong:  # out of the handler, or pytest would show both exceptions
        pytest.fail(f"@pytest.mark.{_NAME}: {wrong}", pytrace=False)


def _options(marks: list[pytest.Mark]) -> dict[str, Any]:
    """What the markers say, the closest last."""
    options: dict[str, Any] = {}
    for mark in reversed(marks):
        if mark.args:
            pytest.fail(f"@pytest.mark.{_NAME} takes arguments by name only", pytrace=False)
        options |= mark.kwargs
    return options
