class RunningScaleBalancer:
    """Divides each task's loss by a running estimate of its magnitude."""

    def __init__(self, momentum=0.95):
        self.momentum = momentum
        self.scale = {}

    def update(self, name, value):
        old = self.scale.get(name)
        if old is None:
            self.scale[name] = value  # <- culprit
        else:
            self.scale[name] = self.momentum * old + (1 - self.momentum) * value  # <- culprit

    def combine(self, losses):
        total = 0.0
        for name, value in losses.items():
            self.update(name, value)  # <- culprit
            total = total + value / (self.scale[name] + 1e-6)  # <- culprit
        return total / len(losses)
