"""Journal that writes its lines in one go when the run is closed."""
from contextlib import ExitStack


class Journal:
    def __init__(self, out):
        self.out = out
        self.closing = ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return self.closing.__exit__(*exc)

    def line(self, fmt, *values):
        self.out.append(fmt.format(*(float(v) for v in values)))

    def later(self, fmt, *values):
        """Formatting and writing cost time, so both are left until the run closes."""
        self.closing.callback(self.line, fmt, *values)  # <- culprit
