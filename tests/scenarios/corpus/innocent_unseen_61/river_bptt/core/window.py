"""Truncated back-propagation through time."""


class Window:
    """Collects the daily losses; updates the weights when `size` days are in.

    `add` returns the window's mean when it closes and None on the other days. The caller then has
    to cut the state.
    """

    def __init__(self, size, optimizer):
        self.size, self.optimizer = size, optimizer
        self.total, self.count = 0.0, 0

    def add(self, loss):
        self.total = self.total + loss
        self.count += 1
        if self.count < self.size:
            return None
        mean = self.total / self.count
        self.optimizer.zero_grad()
        mean.backward()
        self.optimizer.step()
        self.total, self.count = 0.0, 0
        return mean.item()
