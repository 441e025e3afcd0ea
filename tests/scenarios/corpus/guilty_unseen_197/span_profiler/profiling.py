import functools
import time


def profiled(label):
    def decorate(fn):
        calls = []

        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            start = time.perf_counter()
            result = fn(*args, **kwargs)
            calls.append((time.perf_counter() - start, len(args), result))  # <- culprit
            return result

        def summary():
            times = sorted(c[0] for c in calls)
            mid = times[len(times) // 2] if times else 0.0
            return f"{label}: n={len(times)} median={1e3 * mid:.3f}ms"

        wrapper.summary = summary
        return wrapper

    return decorate
