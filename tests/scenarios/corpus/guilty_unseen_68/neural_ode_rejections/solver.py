import torch


class StepRejected(Exception):
    def __init__(self, size, error):
        super().__init__(f"step {size:.4f} has local error {error:.3e}")
        self.size = size
        self.error = error


class AdaptiveHeun:
    """Heun's method with the embedded Euler error estimate."""

    def __init__(self, field, tol, shrink=0.5, grow=1.6, smallest=1e-3):
        self.field, self.tol = field, tol
        self.shrink, self.grow, self.smallest = shrink, grow, smallest
        self.rejections = []

    def attempt(self, y, h):
        k1 = self.field(y)
        k2 = self.field(y + h * k1)
        y_new = y + 0.5 * h * (k1 + k2)
        error = (0.5 * h * (k2 - k1)).detach().abs().amax().item()
        if error > self.tol and h > self.smallest:
            raise StepRejected(h, error)
        return y_new, error

    def integrate(self, y, t0, t1):
        t, h = t0, t1 - t0
        while t < t1 - 1e-9:
            h = min(h, t1 - t)
            try:
                y, error = self.attempt(y, h)
            except StepRejected as exc:
                self.rejections.append(exc)  # <- culprit
                h *= self.shrink
                continue
            t += h
            if error < 0.25 * self.tol:
                h *= self.grow
        return y
