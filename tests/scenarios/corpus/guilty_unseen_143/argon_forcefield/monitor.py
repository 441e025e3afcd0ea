class RunMonitor:
    """Smoothed level of a quantity over a run."""

    def __init__(self, beta):
        self.beta = beta
        self.level = 0.0
        self.count = 0

    def see(self, value):
        self.count += 1
        self.level = self.beta * self.level + (1.0 - self.beta) * value  # <- culprit

    def text(self):
        corrected = self.level / (1.0 - self.beta ** self.count)
        return f"level {float(corrected):.4f}"
