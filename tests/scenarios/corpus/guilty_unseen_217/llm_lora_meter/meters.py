from dataclasses import dataclass, field


class Smoothed:
    """Bias-corrected exponential average, as in the progress bar."""

    def __init__(self, beta=0.98):
        self.beta, self.value, self.n = beta, 0.0, 0

    def update(self, x):
        self.value = self.beta * self.value + (1 - self.beta) * x  # <- culprit
        self.n += 1

    def get(self):
        return self.value / (1 - self.beta ** max(1, self.n))


@dataclass
class TrainerState:
    global_step: int = 0
    smoothed: Smoothed = field(default_factory=Smoothed)
    log_history: list = field(default_factory=list)
