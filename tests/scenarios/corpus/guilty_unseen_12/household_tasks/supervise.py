"""Smoothed task levels and the plateau rule that reads them."""


class Meter:
    """Exponentially smoothed value with bias correction."""

    def __init__(self, beta=0.97):
        self.beta = beta
        self._level = 0.0
        self._weight = 0.0

    @property
    def level(self):
        return self._level / self._weight if self._weight else float("inf")

    @level.setter
    def level(self, value):
        self._level = self.beta * self._level + (1 - self.beta) * value  # <- culprit
        self._weight = self.beta * self._weight + (1 - self.beta)


class Supervisor:
    def __init__(self, names, beta=0.97):
        self.meters = {name: Meter(beta) for name in names}

    def update(self, losses):
        for name, value in losses.items():
            self.meters[name].level = value  # <- culprit

    def describe(self):
        return "  ".join(f"{n}={float(m.level):.4f}" for n, m in self.meters.items())


class PlateauSupervisor(Supervisor):
    """Halves the learning rate when no task has got better for `patience` steps."""

    def __init__(self, optimizer, tasks, patience):
        super().__init__(tasks)
        self.optimizer, self.patience = optimizer, patience
        self.best = dict.fromkeys(tasks, float("inf"))
        self.waited = 0

    def after_step(self, step, losses):
        self.update(losses)
        improved = False
        for name, meter in self.meters.items():
            now = float(meter.level)
            if now < 0.99 * self.best[name]:
                self.best[name], improved = now, True
        self.waited = 0 if improved else self.waited + 1
        if self.waited >= self.patience:
            self.waited = 0
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.5
