"""A very small hook registry: @on("event") registers, call("event", ...) runs in order."""
from collections import defaultdict

_table = defaultdict(list)


def on(event):
    def register(fn):
        _table[event].append(fn)
        return fn

    return register


def call(event, *args):
    return [fn(*args) for fn in _table[event]]
