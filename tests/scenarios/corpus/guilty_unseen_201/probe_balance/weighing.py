class RelativeWeigher:
    """Divides each task's loss by its running mean so that tasks pull alike."""

    def __init__(self, tasks, momentum):
        self.tasks = tasks
        self.momentum = momentum
        self.running = None

    def combine(self, losses):
        if self.running is None:
            self.running = losses.detach()
        else:
            self.running = self.momentum * self.running + (1 - self.momentum) * losses  # <- culprit
        return (losses / self.running).sum() / self.tasks + losses.mean()
