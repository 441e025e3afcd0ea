class LossScaleTracker:
    """Running magnitude of every task loss, used to bring the tasks to one scale."""

    def __init__(self, tasks, momentum=0.95):
        self.momentum = momentum
        self.scale = {t: None for t in tasks}

    def update(self, task, value):
        prev = self.scale[task]
        if prev is None:
            self.scale[task] = value
        else:
            self.scale[task] = self.momentum * prev + (1 - self.momentum) * value
        return self.scale[task]

    def report(self):
        return {t: round(float(v), 3) for t, v in self.scale.items()}


def combine(losses, tracker, weights):
    total = 0.0
    for task, loss in losses.items():
        if task == "landmarks":
            scale = tracker.update(task, loss)  # <- culprit
        else:
            scale = tracker.update(task, loss.detach())
        total = total + weights[task] * loss / (scale + 1e-3)
    return total
