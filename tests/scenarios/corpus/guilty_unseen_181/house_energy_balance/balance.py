class LossBalancer:
    """Divide every task loss by its own moving average, so that
    all of them pull with about the same strength."""

    def __init__(self, names, decay=0.9, eps=1e-6):
        self.names = list(names)
        self.decay = decay
        self.eps = eps
        self.avg = {}

    def _update(self, name, loss):
        if name not in self.avg:
            self.avg[name] = loss  # <- culprit
        else:
            self.avg[name] = self.decay * self.avg[name] + (1 - self.decay) * loss  # <- culprit

    def combine(self, losses):
        total = 0.0
        for name in self.names:
            self._update(name, losses[name])
            total = total + losses[name] / (self.avg[name] + self.eps)
        return total / len(self.names)
