from collections import defaultdict


class Tracker:
    def __init__(self, every):
        self.every = every
        self.series = defaultdict(list)

    def log(self, name, value):
        self.series[name].append(value)  # <- culprit

    def mean(self, name, last=50):
        values = [float(v) for v in self.series[name][-last:]]
        return sum(values) / max(1, len(values))

    def maybe_print(self, step):
        if (step + 1) % self.every == 0:
            print(f"[{step + 1}] " + "  ".join(f"{k}={self.mean(k):.4f}" for k in sorted(self.series)))
