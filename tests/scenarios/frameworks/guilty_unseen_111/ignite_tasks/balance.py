class LossBalancer:
    """Divide each task's loss by its running level, so that no task dominates."""

    def __init__(self, rho=0.95, eps=1e-3):
        self.rho = rho
        self.eps = eps
        self.level = {}

    def _observe(self, name, value):
        old = self.level.get(name)
        if old is None:
            self.level[name] = value  # <- culprit
        else:
            self.level[name] = self.rho * old + (1 - self.rho) * value  # <- culprit
        return self.level[name]

    def __call__(self, losses):
        total = 0.0
        for name, value in losses.items():
            level = self._observe(name, value)  # <- culprit
            total = total + value / (level + self.eps)
        return total / len(losses)
