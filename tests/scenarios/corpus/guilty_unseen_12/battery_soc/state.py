"""The estimator's state belongs to the running context (one per pack group)."""
import contextlib
import contextvars

_cell_state = contextvars.ContextVar("cell_state")


def current():
    return _cell_state.get()


def advance(h):
    _cell_state.set(h)  # <- culprit
    return h


@contextlib.contextmanager
def fresh(h0):
    token = _cell_state.set(h0)
    try:
        yield
    finally:
        _cell_state.reset(token)
