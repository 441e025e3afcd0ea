class ExperimentTracker:
    """Smoothed scalars for the dashboard; the raw ones are not kept."""

    def __init__(self, run, decay=0.95):
        self.run = run
        self.decay = decay
        self._smooth = {}
        self._count = {}

    def log(self, name, value):
        if name in self._smooth:
            self._smooth[name] = self.decay * self._smooth[name] + (1 - self.decay) * value  # <- culprit
        else:
            self._smooth[name] = value
        self._count[name] = self._count.get(name, 0) + 1

    def value(self, name):
        return float(self._smooth[name])

    def finish(self):
        for name in sorted(self._smooth):
            print(f"{self.run} {name} = {self.value(name):.4f} over {self._count[name]} steps")
