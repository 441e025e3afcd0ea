from collections import defaultdict


class Logger:
    """Scalars are averaged per window; deferred values are only worked out for the closing summary."""

    def __init__(self, every):
        self.every = every
        self.step = 0
        self._window = defaultdict(list)
        self._deferred = defaultdict(list)

    def __enter__(self):
        return self

    def scalar(self, name, value):
        self._window[name].append(value)

    def deferred(self, name, fn):
        self._deferred[name].append((self.step, fn))  # <- culprit

    def tick(self):
        self.step += 1
        if self.step % self.every == 0:
            print(self.step, {k: round(sum(v) / len(v), 3) for k, v in self._window.items()})
            self._window.clear()

    def __exit__(self, *exc):
        for name, rows in self._deferred.items():
            step, peak = max(((s, fn()) for s, fn in rows), key=lambda r: r[1])
            print(f"{name}: peak {peak:.3f} at update {step}")
        self._deferred.clear()
