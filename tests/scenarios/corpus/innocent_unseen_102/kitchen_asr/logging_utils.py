class IntervalReport:
    """Sums named losses, prints their means every `every` calls and starts afresh."""

    def __init__(self, every, names):
        self.every = every
        self.names = names
        self.lines = 0
        self._restart()

    def _restart(self):
        self.count = 0
        self.sums = {name: 0 for name in self.names}

    def add(self, **losses):
        for name, value in losses.items():
            self.sums[name] += value
        self.count += 1
        if self.count == self.every:
            self._emit()
            self._restart()

    def _emit(self):
        self.lines += 1
        parts = [f"{k} {v.item() / self.count:.4f}" for k, v in self.sums.items()]
        print(f"#{self.lines:02d}  " + "  ".join(parts))
