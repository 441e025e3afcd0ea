class RunningScale:
    """Divides each task loss by its own running average."""

    def __init__(self, beta=0.95):
        self.beta = beta
        self.avg = {}

    def __call__(self, losses):
        for name, value in losses.items():
            if name in self.avg:
                self.avg[name] = self.beta * self.avg[name] + (1 - self.beta) * value  # <- culprit
            else:
                self.avg[name] = value  # <- culprit
        return {name: value / (self.avg[name] + 1e-8) for name, value in losses.items()}

    def state_dict(self):
        return {name: float(value) for name, value in self.avg.items()}
