"""Small instrumentation helpers."""
import functools
import time


def timed(fn):
    calls = []

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        begin = time.perf_counter()
        result = fn(*args, **kwargs)
        calls.append((time.perf_counter() - begin, result))  # <- culprit
        return result

    wrapper.calls = calls
    return wrapper


def report(fn):
    spent = [c[0] for c in fn.calls]
    losses = [float(c[1][0]) for c in fn.calls[-10:]]
    return f"{fn.__name__}: {1e3 * sum(spent) / len(spent):.2f} ms, loss {sum(losses) / len(losses):.3f}"
