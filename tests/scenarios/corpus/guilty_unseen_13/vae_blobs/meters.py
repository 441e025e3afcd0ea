class Smoothed:
    """Exponentially smoothed scalar, with the first observation as its start."""

    def __init__(self, momentum):
        self.momentum = momentum
        self.value = None
        self.count = 0

    def push(self, x):
        if self.value is None:
            self.value = x  # <- culprit
        else:
            self.value = self.momentum * self.value + (1 - self.momentum) * x  # <- culprit
        self.count += 1

    def __float__(self):
        return self.value if isinstance(self.value, float) else self.value.item()


class Scoreboard:
    def __init__(self, momentum=0.98):
        self.momentum = momentum
        self.meters = {}

    def update(self, **scores):
        for name, score in scores.items():
            if name not in self.meters:
                self.meters[name] = Smoothed(self.momentum)
            self.meters[name].push(score)

    def __str__(self):
        return "  ".join(f"{k}={float(m):.3f}" for k, m in self.meters.items())
