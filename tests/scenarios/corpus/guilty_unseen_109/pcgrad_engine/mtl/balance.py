class LevelBalancer:
    """Divides each loss by an exponential average of itself."""

    def __init__(self, tasks, rho):
        self.rho = rho
        self.level = {t: None for t in tasks}

    def _update(self, name, value):
        old = self.level[name]
        if old is None:
            self.level[name] = value  # <- culprit
        else:
            self.level[name] = (1 - self.rho) * old + self.rho * value  # <- culprit
        return self.level[name]

    def __call__(self, losses):
        return {name: value / (self._update(name, value) + 1e-8) for name, value in losses.items()}  # <- culprit
