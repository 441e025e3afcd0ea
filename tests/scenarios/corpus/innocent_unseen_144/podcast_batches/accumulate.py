from contextlib import contextmanager


class Accumulator:
    """Lets `n` small batches count as one."""

    def __init__(self, optimizer, n):
        self.optimizer, self.n, self.i = optimizer, n, 0
        self.pending = []

    @contextmanager
    def micro(self):
        yield self
        self.i += 1
        if self.i % self.n == 0:
            total = sum(self.pending) / self.n
            total.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.last = float(total)
            self.pending.clear()

    def add(self, loss):
        self.pending.append(loss)
