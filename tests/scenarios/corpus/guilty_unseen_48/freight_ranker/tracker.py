from collections import ChainMap
from contextlib import contextmanager


class Tracker:
    """Small experiment tracker: scoped settings, rows of metrics, a summary at close."""

    def __init__(self, project, every):
        self.project, self.every = project, every
        self._scope = ChainMap({"project": project})
        self._rows = []

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._rows = [self._plain(row) for row in self._rows]
        print(f"{self.project}: {len(self._rows)} rows")
        return False

    @contextmanager
    def scope(self, **settings):
        outer, self._scope = self._scope, self._scope.new_child(settings)
        try:
            yield self
        finally:
            self._scope = outer

    def log(self, **metrics):
        row = self._scope.new_child(metrics)
        self._rows.append(row)  # <- culprit
        if len(self._rows) % self.every == 0:
            print("  ".join(f"{k}={v}" for k, v in self._plain(row).items()))

    @staticmethod
    def _plain(row):
        return {k: v if isinstance(v, (str, float)) else round(float(v), 4) for k, v in row.items()}

    def best(self, n):
        return sorted(self._rows, key=lambda r: r["loss"])[:n]
