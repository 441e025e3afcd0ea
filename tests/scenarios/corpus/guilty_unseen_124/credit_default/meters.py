class AverageMeter:
    """Mean over everything seen since the start."""

    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum = self.sum + value * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)
