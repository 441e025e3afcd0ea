import contextvars
from collections import OrderedDict
from contextlib import contextmanager

_box = contextvars.ContextVar("aux_box", default=None)


@contextmanager
def aux_losses():
    box = OrderedDict()
    token = _box.set(box)
    try:
        yield box
    finally:
        _box.reset(token)


def report(name, value):
    box = _box.get()
    if box is not None:
        box[f"{name}/{len(box)}"] = value
