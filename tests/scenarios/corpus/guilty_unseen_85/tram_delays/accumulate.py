from collections import deque


class Accumulator:
    """Collects `every` losses, walks them in one go and steps.

    `finish` is for the end of an epoch, when fewer than `every` are waiting.
    """

    def __init__(self, optimizer, every):
        self.optimizer = optimizer
        self.every = every
        self.recent = deque(maxlen=every)  # <- culprit
        self.waiting = 0
        self.steps = 0

    def add(self, loss):
        self.recent.append(loss)
        self.waiting += 1
        if self.waiting == self.every:
            self._walk()

    def finish(self):
        if self.waiting:
            self._walk()

    def _walk(self):
        self.optimizer.zero_grad()
        mean = sum(self.recent) / len(self.recent)  # <- culprit
        mean.backward()  # <- culprit
        self.optimizer.step()
        self.waiting = 0  # <- culprit
        self.steps += 1
