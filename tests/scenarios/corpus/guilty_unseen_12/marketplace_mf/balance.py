"""Scale of each objective."""


class RunningScale:
    """Divides a loss by its exponentially smoothed magnitude."""

    def __init__(self, *names, momentum=0.9, floor=1e-3):
        self.names = frozenset(names)
        self.momentum, self.floor = momentum, floor
        self._scale = {}

    def __call__(self, name, loss):
        m = self.momentum
        previous = self._scale.get(name)
        scale = loss if previous is None else m * previous + (1 - m) * loss  # <- culprit
        self._scale[name] = scale  # <- culprit
        return loss / scale.clamp(min=self.floor)

    def combine(self, losses):
        return sum(self(name, loss) if name in self.names else loss for name, loss in losses.items())
