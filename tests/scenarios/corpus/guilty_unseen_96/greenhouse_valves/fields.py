"""Physical quantities as descriptors; a range given by `limits(...)` applies to every assignment inside the block."""
from contextlib import contextmanager
from contextvars import ContextVar

_ranges = ContextVar("ranges", default={})


@contextmanager
def limits(**ranges):
    token = _ranges.set({**_ranges.get(), **ranges})
    try:
        yield
    finally:
        _ranges.reset(token)


class Quantity:
    def __init__(self, unit):
        self.unit = unit

    def __set_name__(self, owner, name):
        self.name, self.slot = name, f"_{name}_{self.unit}"

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__[self.slot]

    def __set__(self, obj, value):
        if self.name in _ranges.get():
            value.clamp_(*_ranges.get()[self.name])  # <- culprit
        obj.__dict__[self.slot] = value
