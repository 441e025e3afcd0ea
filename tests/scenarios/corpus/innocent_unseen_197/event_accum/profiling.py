import functools
import time


def profiled(fn):
    calls = []

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = fn(*args, **kwargs)
        calls.append((time.perf_counter() - start, tuple(result.shape)))
        return result

    wrapper.calls = calls
    return wrapper
