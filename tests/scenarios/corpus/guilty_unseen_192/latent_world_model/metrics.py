from collections import defaultdict


class MetricLogger:
    """Collects scalars by name and prints a mean over the last window."""

    def __init__(self, print_every):
        self.print_every = print_every
        self.scalars = defaultdict(list)

    def add(self, **values):
        for name, value in values.items():
            self.scalars[name].append(value)

    def add_all(self, values, prefix=""):
        for key, value in values.items():
            name = prefix + key
            self.scalars[name].append(value)  # <- culprit

    def mean(self, name, window=20):
        tail = self.scalars[name][-window:]
        return float(sum(float(v) for v in tail) / max(len(tail), 1))

    def maybe_print(self, step):
        if (step + 1) % self.print_every:
            return
        line = "  ".join(f"{name} {self.mean(name):.3f}" for name in sorted(self.scalars))
        print(f"[{step + 1:5d}] {line}")
