"""Named activations of the pass in progress."""
import contextlib
import contextvars

_current = contextvars.ContextVar("activations", default=None)


@contextlib.contextmanager
def recording():
    token = _current.set({})
    try:
        yield _current.get()
    finally:
        _current.reset(token)


def tap(name):
    def hook(module, args, output):
        store = _current.get()
        if store is not None:
            store[name] = output
    return hook
