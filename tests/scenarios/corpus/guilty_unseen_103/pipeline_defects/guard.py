from collections import namedtuple

Case = namedtuple("Case", "index error")


class ScanRejected(ValueError):
    def __init__(self, message, residual):
        super().__init__(message)
        self.residual = residual


class Quarantine:
    """Everything the step refused, for the inspector to go through afterwards."""

    def __init__(self):
        self.cases = []

    def admit(self, index, exc):
        self.cases.append(Case(index, exc))  # <- culprit

    def summary(self):
        if not self.cases:
            return "nothing rejected"
        last = self.cases[-1]
        return f"rejected {len(self.cases)} (last: batch {last.index}, {last.error})"


def check_scan(residual, limit=6.0):
    worst = residual.abs().max()
    if worst.item() > limit:
        raise ScanRejected(f"residual {worst.item():.2f}", residual)  # <- culprit
