class Smoothed:
    """Debiased exponential average, as in fastai's AvgSmoothLoss."""

    def __init__(self, beta=0.97):
        self.beta = beta
        self.value = 0.0
        self.count = 0

    def update(self, x):
        self.count += 1
        self.value = self.beta * self.value + (1 - self.beta) * x  # <- culprit

    def __str__(self):
        return f"{self.value / (1 - self.beta ** self.count):.4f}"
