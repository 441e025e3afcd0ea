from dataclasses import dataclass


@dataclass(frozen=True)
class Window:
    name: str
    until: int
    length: int
    entropy: float
    forget: bool


class WindowSchedule:
    def __init__(self, windows):
        self.windows = windows

    def at(self, update):
        return next(w for w in self.windows if update < w.until)
