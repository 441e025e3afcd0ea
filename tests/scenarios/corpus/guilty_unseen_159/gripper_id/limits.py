from dataclasses import dataclass
from typing import Optional


class Saturated(ArithmeticError):
    def __init__(self, joint, value):
        super().__init__(f"joint {joint} at {value:.2f}")
        self.joint, self.value = joint, value


@dataclass
class Report:
    joint: int
    value: float
    cause: Optional[Exception] = None


class Guard:
    """Context manager that swallows saturation and files a report about it."""

    def __init__(self, limit):
        self.limit = limit
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, kind, e, tb):
        if kind is None or not issubclass(kind, Saturated):
            return False
        self._file(Report(e.joint, e.value, e))  # <- culprit
        return True

    def _file(self, report):
        self.events.append(report)  # <- culprit

    def check(self, tau):
        peak, joint = tau.detach().abs().amax((0, 1)).max(0)
        if peak > self.limit:
            raise Saturated(int(joint), float(peak))

    def rate(self, n):
        return len(self.events) / n
