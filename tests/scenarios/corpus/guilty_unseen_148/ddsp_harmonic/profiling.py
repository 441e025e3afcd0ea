import functools
import time


def instrumented(fn):
    calls = []

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        out = fn(*args, **kwargs)
        calls.append({"ms": 1e3 * (time.perf_counter() - start), "peak": out.abs().amax()})  # <- culprit
        return out

    wrapper.calls = calls
    return wrapper


def summarize(fn):
    rows = fn.calls
    ms = sum(r["ms"] for r in rows) / len(rows)
    peak = max(float(r["peak"]) for r in rows)
    print(f"{fn.__name__}: {len(rows)} calls, {ms:.2f} ms on average, peak {peak:.3f}")
