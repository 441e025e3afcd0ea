class TaskSchedule:
    """Which tasks are trained at which step (curriculum over tasks)."""

    def __init__(self, starts, weights):
        self.starts = starts
        self.weights = weights

    def active(self, step):
        return [t for t, s in self.starts.items() if step >= s]

    def weight(self, task, step):
        ramp = min(1.0, (step - self.starts[task] + 1) / 10.0)
        return self.weights[task] * ramp
