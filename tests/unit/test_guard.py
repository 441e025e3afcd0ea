"""What goes wrong within the agent stays there; what the program's own handlers raise does not."""

import functools
import inspect
import signal
import sys
import types

import pytest

import gradwatch_agent.guard
from gradwatch_agent.guard import Guard


class OutOfTime(Exception):
    pass


def handler(number, frame):
    raise OutOfTime(number)


class Handler:
    def __call__(self, *given):
        raise OutOfTime(given[0])

    def method(self, number, frame):
        signal.signal(number, signal.SIG_DFL)
        raise OutOfTime(number)


@pytest.fixture
def arrives():
    before = signal.getsignal(signal.SIGUSR1)
    yield lambda: signal.raise_signal(signal.SIGUSR1)
    signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize(
    "handles",
    [
        handler,
        Handler(),
        Handler().method,
        functools.partial(handler),
        lambda *given: handler(*given),
    ],
    ids=["function", "object", "method", "partial", "lambda"],
)
def test_what_a_signals_handler_raises_is_the_programs(arrives, handles):
    signal.signal(signal.SIGUSR1, handles)
    guard = Guard()
    with pytest.raises(OutOfTime):
        guard.call("hooks", arrives)
    assert guard.off == ()
    assert guard.call("hooks", lambda: 7) == 7


def test_what_the_agent_itself_raises_is_not(arrives):
    signal.signal(signal.SIGUSR1, lambda *_: None)
    told = []
    guard = Guard(told.append)

    def fails():
        arrives()
        raise ValueError("no")

    assert guard.call("hooks", fails) is None
    assert (guard.off, told) == (("hooks: ValueError: no",), ["hooks"])


def test_what_the_agent_hands_a_frame_to_is_no_handler():
    guard = Guard()

    def fails():
        inspect.getsourcelines(sys._getframe(0))
        inspect.getargvalues(sys._getframe(0)).locals["missing"]

    def given(frame):
        raise ValueError(frame)

    made = types.FunctionType(
        given.__code__.replace(co_filename=gradwatch_agent.guard.__file__), globals()
    )
    assert guard.call("hooks", fails) is None
    assert guard.call("others", lambda: made(sys._getframe(0))) is None
    assert [each.partition(":")[0] for each in guard.off] == ["hooks", "others"]
